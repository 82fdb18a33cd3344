/**
 * What a seed plans: the world's size, its customers and its faults. A plan is data, so that a
 * failure can be made smaller by leaving parts of it out.
 */
import { createChance, type Random } from './chance.js';
import type { HabitName } from './customer/habit-names.js';
import type { MachineFault } from './faults/names.js';

export type Mode = 'token' | 'catalogue' | 'open';

export type CustomerPlan = {
  readonly id: string;
  readonly shop: string;
  readonly at: number;
  readonly mode: Mode;
  readonly habit: HabitName;
};

export type FaultPlan = {
  readonly id: string;
  readonly kind: MachineFault;
  readonly shop: string;
  readonly at: number;
  readonly lastsMs: number;
  /** A number from 0 to 1 that each kind of fault reads in its own way. */
  readonly size: number;
  /** The number of the relay, modulo the number of relays in the world. */
  readonly relay: number;
};

export type WorldPlan = {
  readonly seed: number;
  /** When the last fault ends. Afterwards everything works, until every payment is told. */
  readonly lastsMs: number;
  readonly relays: number;
  readonly shops: readonly string[];
  /** Null: a lost request is never sent again. */
  readonly resendAfterS: number | null;
  readonly queriesPerSecond: number;
  /** The ledger has a clock of its own, as PostgreSQL has, and each host's clock steps alone. */
  readonly databaseClock: boolean;
  /** How long the relay asks about an order. */
  readonly followDays: number;
  /** The share of statements (0 to 1) that take long enough for other relays to come in between. */
  readonly slowPart: number;
  /** After how many seconds the shops are told of an unpaid intent; null: never. */
  readonly unpaidAfterS: number | null;
  readonly foreignOrders: boolean;
  readonly customers: readonly CustomerPlan[];
  readonly faults: readonly FaultPlan[];
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const RUSH_MS = 4 * MINUTE_MS;
/** A world ends at the earliest this long after its last rush began. */
const MIN_LAST_MS = 20 * MINUTE_MS;
const CUSTOMERS_PER_DAY = 2000;
/** A short world has fewer customers: as many as come in its time. */
const CUSTOMERS_PER_RUSH = 200;

/** What a world must have; a seed decides the rest. */
export type Needs = {
  /** As many faults as a rush may have, of these kinds alone; without a kind there are none. */
  readonly faults?: readonly MachineFault[];
  /** The `size` of every fault. */
  readonly faultSize?: number;
  readonly relays?: number;
  /** The habit of all customers. */
  readonly habit?: HabitName;
  /** The relays send a lost request again. */
  readonly resends?: true;
  /** After how many seconds the shops are told of an unpaid intent. */
  readonly reportsAfterS?: number;
  /** How long the relay asks about an order. */
  readonly followDays?: number;
};

export type Size = { seed: number; days: number; relays: number | null; needs?: Needs };

export function planWorld({ days, needs = {}, relays, seed }: Size): WorldPlan {
  const chance = createChance(seed);
  const random = chance('plan');
  const lastsMs = Math.max(MIN_LAST_MS, Math.round(days * DAY_MS));
  const shops = random.chance(0.3) ? ['leaf', 'bean'] : ['leaf'];
  const starts = rushes(random, lastsMs, days);
  const customers = Math.min(CUSTOMERS_PER_RUSH, Math.max(1, Math.round(days * CUSTOMERS_PER_DAY)));
  const databaseClock = random.chance(0.4);
  const resends = random.chance(0.4) || needs.resends === true;
  const resendAfterS = resends ? 10 + random.whole(20) : null;
  // drawn even when it is given, so that the rest of the plan stays the same
  const relaysOfSeed = random.between(1, 3);
  return {
    seed,
    lastsMs,
    relays: relays ?? needs.relays ?? relaysOfSeed,
    shops,
    resendAfterS,
    queriesPerSecond: random.pick([8, 16, 40]),
    databaseClock,
    followDays: Number(
      given(needs.followDays, random.weighted({ '0.004': 5, '0.01': 3, '0.05': 1, '3': 1 })),
    ),
    slowPart: random.pick([0, 0.01, 0.05]),
    foreignOrders: random.chance(0.8),
    unpaidAfterS: given(needs.reportsAfterS, random.pick([null, 150, 400, 900])),
    customers: starts.flatMap((at, rush) =>
      customersOf(chance('customers', rush), at, rush, shops, customers, needs.habit),
    ),
    faults: starts.flatMap((at, rush) => faultsOf(chance('faults', rush), at, rush, shops, needs)),
  };
}

/** What a mutant needs, or else what the seed drew: it draws in both cases. */
const given = <Value, Drawn>(needed: Value | undefined, drawn: Drawn): Value | Drawn =>
  needed ?? drawn;

function rushes(random: Random, lastsMs: number, days: number): number[] {
  const count = Math.max(1, Math.round((days * CUSTOMERS_PER_DAY) / CUSTOMERS_PER_RUSH));
  const part = (lastsMs - MIN_LAST_MS) / count;
  return Array.from({ length: count }, (_, rush) =>
    Math.round((rush + random.next() * 0.8) * part + MINUTE_MS),
  );
}

const HABIT_WEIGHTS: Readonly<Record<HabitName, number>> = {
  plain: 30,
  double_click: 8,
  tabs: 10,
  reload: 10,
  replay: 8,
  switch: 10,
  guess: 6,
  late: 5,
  decline: 6,
  abandon: 3,
  sold_out: 6,
  change_basket: 6,
};

function customersOf(
  random: Random,
  from: number,
  rush: number,
  shops: readonly string[],
  count: number,
  needed?: HabitName,
): CustomerPlan[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `c${rush}x${index}`,
    shop: (random.chance(0.75) ? shops[0] : shops.at(-1)) ?? 'leaf',
    at: from + random.whole(RUSH_MS),
    mode: random.weighted({ token: 6, catalogue: 2, open: 2 }),
    habit: needed ?? random.weighted(HABIT_WEIGHTS),
  }));
}

const FAULT_WEIGHTS: Readonly<Record<MachineFault, number>> = {
  kill: 5,
  freeze: 6,
  clock_step: 5,
  full_disk: 2,
  database_gone: 2,
  power_cut: 3,
  restore: 2,
  outage: 3,
  webhooks_lost: 2,
  shop_restored: 3,
};
const MAX_FAULTS_PER_RUSH = 8;
/** Faults begin while customers of the rush still buy and pay. */
const FAULTS_WITHIN_MS = 6 * MINUTE_MS;

function faultsOf(
  random: Random,
  from: number,
  rush: number,
  shops: readonly string[],
  { faults: needed, faultSize }: Needs,
): FaultPlan[] {
  const drawn = random.whole(MAX_FAULTS_PER_RUSH + 1);
  if (needed?.length === 0) return [];
  const length = needed ? MAX_FAULTS_PER_RUSH : drawn;
  return Array.from({ length }, (_, index) => ({
    id: `f${rush}x${index}`,
    kind: needed?.[index % needed.length] ?? random.weighted(FAULT_WEIGHTS),
    shop: (random.chance(0.75) ? shops[0] : shops.at(-1)) ?? 'leaf',
    at: from + random.whole(FAULTS_WITHIN_MS),
    lastsMs: 2000 + random.wait(25_000),
    size: given(faultSize, random.next()),
    relay: random.whole(3),
  }));
}

/** The parts of a plan that can be left out, by their names. */
export const partsOf = (plan: WorldPlan): string[] => [
  ...plan.customers.map(({ id }) => id),
  ...plan.faults.map(({ id }) => id),
];

/** The same plan with only some of its customers and faults. */
export const keepParts = (plan: WorldPlan, kept: ReadonlySet<string>): WorldPlan => ({
  ...plan,
  customers: plan.customers.filter(({ id }) => kept.has(id)),
  faults: plan.faults.filter(({ id }) => kept.has(id)),
});

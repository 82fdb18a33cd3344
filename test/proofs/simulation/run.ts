/** Runs one plan until every payment is told, and returns what the checker found. */
import { actors } from './actors/actors.js';
import type { Table, Violation } from './checker/checker.js';
import { createChance } from './chance.js';
import type { WorldPlan } from './plan.js';
import { createScheduler, type Scheduler } from './time/scheduler.js';
import { installVirtualGlobals } from './time/virtual-globals.js';
import { createWorld, type World } from './world.js';

export type Outcome = {
  violation: Violation | null;
  /** Pays that the service received from the relays. */
  orders: number;
  /** SHA-256 of the history. */
  digest: string;
  tail: readonly string[];
  table: Table;
};

const STEP_MS = 10 * 60_000;
/** Long enough for the last retries of events and the latest payments. */
const MAX_SETTLE_MS = 10 * 3_600_000;
/** A world of a day has two thousand orders, and an answer about one may take half a minute. */
const MAX_AUDIT_MS = 24 * 3_600_000;

/** @param about lines of the history that hold this text are printed */
export async function runPlan(plan: WorldPlan, about: string | null = null): Promise<Outcome> {
  const scheduler = createScheduler();
  const restoreGlobals = installVirtualGlobals(scheduler, createChance(plan.seed)('globals'));
  const world = createWorld(plan, scheduler, about);
  try {
    await runToEnd(world, scheduler);
  } finally {
    for (const { deployment } of world.shops.values()) {
      deployment.kill();
      deployment.file.remove();
    }
    restoreGlobals();
  }
  const { checker, history, service } = world;
  return {
    violation: checker.violation(),
    orders: service.book.ofShops().length,
    digest: history.digest(),
    tail: history.tail(),
    table: checker.table(),
  };
}

async function runToEnd(world: World, scheduler: Scheduler): Promise<void> {
  const { checker, plan, shops } = world;
  for (const { deployment } of shops.values()) deployment.startAll();
  let acting = true;
  const actorsDone = Promise.all(actors.map((act) => act(world))).then(() => {
    acting = false;
  });
  const failed = (): boolean => checker.violation() !== null;
  await scheduler.run(plan.lastsMs);
  const end = plan.lastsMs + MAX_SETTLE_MS;
  while (!failed() && scheduler.now() < end && (acting || !isAllTold(world)))
    await scheduler.run(scheduler.now() + STEP_MS);
  if (failed()) return;
  if (!acting) await actorsDone;
  let auditing = true;
  const auditDone = audit(world).then(() => {
    auditing = false;
  });
  const auditEnd = scheduler.now() + MAX_AUDIT_MS;
  while (auditing && scheduler.now() < auditEnd && !failed())
    await scheduler.run(scheduler.now() + STEP_MS);
  if (failed()) return;
  if (auditing) throw new Error(`the audit did not end within ${MAX_AUDIT_MS} ms`);
  await auditDone;
  checker.end();
}

/** Whether a receiver has accepted an event about every paid order; the invariants judge which. */
const isAllTold = ({ checker: { known } }: World): boolean =>
  known
    .orders()
    .every(
      ({ paidAt, requestId }) =>
        paidAt === null || known.deliveries(requestId).some(({ answered }) => answered === 'ok'),
    );

/**
 * Each shop's backend asks about every order that the service has, as an accountant would, and
 * reads what it missed. A person looks at every intent.
 */
async function audit({ checker, history, shops }: World): Promise<void> {
  for (const { requestId, shop } of checker.known.orders()) {
    const answer = await shops.get(shop ?? '')?.backend.ask({ request_id: requestId });
    if (answer === null) history.write('audit', `no answer of ${shop} about ${requestId}`);
  }
  for (const purchase of checker.known.purchases())
    await shops.get(purchase.shop)?.person.lookAt(purchase);
  for (const [shop, { backend, books }] of shops) {
    await backend.reconcile();
    const { latest: orders, refunds, toPack } = books.data;
    checker.tell({ kind: 'balance', shop, orders, refunds, toPack });
  }
}

/**
 * A relay gets SIGHUP again and again while customers pay. Half of the files that it finds are
 * broken, and each right file switches off the option that the one before it offers. No pay is
 * lost, none is placed twice, and none is claimed at an option that the accepted configuration has
 * switched off.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLedger } from '../../relay/node/open-ledger.js';
import type { Ledger } from '../../relay/ledger/ledger.js';
import { findOrder } from '../suite/support/ledger-calls.js';
import { sleep, until } from '../suite/support/wait.js';
import { openIntent } from '../suite/support/world.js';
import {
  countMisattributed,
  filter,
  isLost,
  orderIdsAtService,
  repetitions,
  type Answered,
  type Ids,
} from './placed-orders.js';
import { buildRelay, createRelayFolder, startSandbox, type Running } from './processes.js';
import { counts, createRandom, percentage, type Proof } from './proof.js';

/** So many that some wait for the ledger between the check of their option and their claim. */
const CUSTOMERS = 100;
/** Of one customer, who takes the other option when one is off, and asks again after a failure. */
const MAX_TRIES = 100;
const RETRY_MS = 100;
/** The clock of the ledger is rounded to milliseconds, and so is that of the log. */
const ROUNDING_MS = 2;

const OPTIONS = ['card', 'chain'] as const;
type OptionId = (typeof OPTIONS)[number];
/** From when on the relay offers which option. */
type Accepted = { at: number; option: OptionId };

/** What the relay has logged of its reloads. */
function readReloads({ child }: Running): { at: number; accepted: boolean }[] {
  const lines: { at: number; accepted: boolean }[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) {
        if (!line.includes('"event":"reload"')) continue;
        const { accepted, time } = JSON.parse(line) as { accepted: boolean; time: string };
        lines.push({ at: Date.parse(time), accepted });
      }
    });
  }
  return lines;
}

/** @returns the order, or the code of the refusal; null when no complete answer came */
async function pay(url: string, body: object): Promise<Ids | string | null> {
  try {
    const response = await fetch(`${url}/v1/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    const answer = (await response.json()) as { order?: Ids; error?: { code: string } };
    return answer.order ?? answer.error?.code ?? null;
  } catch {
    return null;
  }
}

/** Whether the order was claimed while no accepted configuration offered its option. */
const isOffAtClaim =
  (ledger: Ledger, accepted: readonly Accepted[]) =>
  async ({ request_id }: Answered): Promise<boolean> => {
    const row = await findOrder(ledger, request_id);
    const claimedAt = row?.history[0]?.at ?? NaN;
    return !accepted.some(({ at, option }, index) => {
      const until = accepted[index + 1]?.at ?? Infinity;
      const isInForce = claimedAt >= at - ROUNDING_MS && claimedAt <= until + ROUNDING_MS;
      return option === row?.option && isInForce;
    });
  };

const memoryOf = ({ child: { pid } }: Running): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

export const reload: Proof = {
  sizes: { reloads: 1000, pays: 10_000, grown_mb: 40, seed: 1 },
  // so few reloads do not show whether memory grows
  small: { reloads: 50, pays: 100, grown_mb: 1000, seed: 1 },
  run: async ({ reloads = 0, pays = 0, grown_mb: grownMb = 0, seed = 1 }) => {
    const script = buildRelay();
    const sandbox = await startSandbox();
    const shop = await createRelayFolder(sandbox.url, {
      limits: { new_intents_per_ip_per_hour: 1_000_000 },
    });
    const path = join(shop.folder, 'config.json');
    const file = JSON.parse(readFileSync(path, 'utf8')) as object;
    const offering = (option: OptionId): object => ({
      ...file,
      options: OPTIONS.map((id) => ({
        id,
        label: id,
        payment_method: 'on_line',
        enabled: id === option,
      })),
    });
    /** An editor writes a whole file and renames it. */
    const write = (text: string): void => {
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    };
    const right = (option: OptionId): void => write(JSON.stringify(offering(option)));
    const broken: readonly (() => void)[] = [
      () => write(JSON.stringify(offering('card')).slice(0, -9)),
      () => write(JSON.stringify({ ...offering('card'), colour: 'red' })),
      () => write(JSON.stringify({ ...offering('card'), ledger: 'sqlite:other.db' })),
      () => rmSync(path, { force: true }),
    ];
    right('card');
    const relay = await shop.relay(script);
    const lines = readReloads(relay);
    const accepted: Accepted[] = [{ at: -Infinity, option: 'card' }];

    const answered: Answered[] = [];
    const failed: Record<string, number> = {};
    let gaveUp = 0;
    let refusedByOption = 0;
    let isOver = false;
    const random = createRandom(seed);
    const customer = async (): Promise<void> => {
      while (!isOver || answered.length < pays) {
        const attempt = crypto.randomUUID();
        let option: OptionId = random.pick(OPTIONS);
        let tries = 0;
        for (; tries < MAX_TRIES; tries++) {
          const answer = await pay(relay.url, { ...openIntent, attempt, option });
          if (answer !== null && typeof answer === 'object') {
            answered.push({ attempt, ...answer });
            break;
          }
          if (answer === 'option_unknown') {
            refusedByOption++;
            option = option === 'card' ? 'chain' : 'card';
            continue;
          }
          // a busy machine may be too slow for the relay or the service
          failed[answer ?? 'no answer'] = (failed[answer ?? 'no answer'] ?? 0) + 1;
          await sleep(RETRY_MS);
        }
        if (tries === MAX_TRIES) gaveUp++;
      }
    };
    const hup = async (): Promise<boolean> => {
      const before = lines.length;
      relay.child.kill('SIGHUP');
      await until(() => lines.length > before, 'the line of the reload');
      return lines.at(-1)?.accepted === true;
    };
    const takeOther = async (): Promise<void> => {
      const option = OPTIONS[accepted.length % 2] ?? 'card';
      right(option);
      if (await hup()) accepted.push({ at: lines.at(-1)?.at ?? NaN, option });
    };
    let refused = 0;
    const operator = async (): Promise<void> => {
      const every = pays / reloads;
      for (let nth = 0; nth < reloads; nth++) {
        while (answered.length < nth * every && gaveUp === 0) await sleep(2);
        if (nth % 2 === 0) await takeOther();
        else {
          broken[((nth - 1) / 2) % broken.length]?.();
          refused += Number(!(await hup()));
        }
      }
      isOver = true;
    };
    await Promise.all([operator(), ...Array.from({ length: CUSTOMERS }, customer)]);
    // without pays, so that only what a reload leaves behind can make the process grow
    const warm = memoryOf(relay);
    for (let nth = 0; nth < reloads / 2; nth++) await takeOther();
    const grown = memoryOf(relay) - warm;

    const ledger = await openLedger(shop.ledger);
    const atService = await orderIdsAtService(sandbox.url);
    let lost = [...new Set(atService)];
    for (const end = Date.now() + 60_000; lost.length > 0 && Date.now() < end; await sleep(500))
      lost = await filter(lost, isLost(ledger));
    const off = await filter(answered, isOffAtClaim(ledger, accepted));
    const misattributed = await countMisattributed(ledger, answered);
    await ledger.close();
    for (const { child } of [relay, sandbox]) child.kill('SIGKILL');
    shop.remove();
    const doubled = repetitions(atService);
    const answeredIds = new Set(answered.map(({ request_id }) => request_id));
    const forNobody = atService.filter((id) => !answeredIds.has(id)).length;
    return {
      held:
        gaveUp === 0 &&
        lost.length + forNobody + doubled + off.length + misattributed === 0 &&
        answered.length >= pays &&
        accepted.length === 1 + reloads &&
        refused === reloads / 2 &&
        grown <= grownMb,
      sections: [
        {
          figures: [
            ...counts({
              answered: answered.length,
              reloads: lines.length,
              'of them refused': refused,
            }),
            percentage('acceptance', answered.length, answered.length + refusedByOption),
            ...counts({ 'option was off': refusedByOption, ...failed }),
          ],
        },
        {
          figures: counts({
            'customers without an order': gaveUp,
            doubled,
            lost: lost.length,
            'for nobody': forNobody,
            'at an option that was off': off.length,
            'orders of another customer': misattributed,
          }),
        },
        {
          figures: [
            { name: 'then reloads without pays', value: reloads / 2 },
            { name: 'RSS grew', value: grown, unit: 'MB', bound: grownMb },
          ],
        },
      ],
    };
  },
};

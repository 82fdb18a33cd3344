/** A ledger that is slower than its customers: new orders wait in front of it, and few of them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../../../relay/contract/failure.js';
import { readIntent } from '../../../../relay/intent/read-intent.js';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { readOrder } from '../../../../relay/orders/order-store.js';
import { createPlace } from '../../../../relay/orders/place.js';
import { createPlacingLimit } from '../../../../relay/orders/placing-limit.js';
import { createRestored } from '../../../../relay/orders/restored/restored.js';
import { manualClock, settle } from '../../support/manual-clock.js';
import { openIntent } from '../../support/world.js';
import { createParts } from './parts.js';

/** A limit, and work that a test ends. The names of what has begun are in `begun`. */
function world() {
  const clock = manualClock();
  const limit = createPlacingLimit(clock);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async (): Promise<string> => {
    begun.push(name);
    await new Promise<void>((end) => ends.set(name, end));
    return name;
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settle();
  };
  const begin = (count: number): void => {
    for (let i = 1; i <= count; i++) void limit.begin(work(`w${i}`));
    begun.length = 0;
  };
  return { clock, limit, begun, work, end, begin };
}
const codeOf = (error: unknown): string => (error instanceof Failure ? error.code : String(error));

describe('the limit of new orders', () => {
  it('runs 16 at once, and the others in the order in which they came', async () => {
    const { begun, end, limit, work } = world();
    const names = Array.from({ length: 18 }, (_, i) => `w${i + 1}`);
    const results = names.map((name) => limit.begin(work(name)));
    assert.deepEqual(begun, names.slice(0, 16));
    await end('w3');
    assert.equal(await results[2], 'w3');
    assert.deepEqual(begun.slice(16), ['w17']);
    await end('w17');
    assert.deepEqual(begun.slice(16), ['w17', 'w18']);
  });

  it('lets the work of orders that have begun go first, and never refuses it', async () => {
    const { begin, begun, clock, end, limit, work } = world();
    begin(16);
    const late = limit.begin(work('new')).catch(codeOf);
    const claim = limit.goOn(work('claim'));
    await clock.advance(999);
    await end('w1');
    assert.deepEqual(begun, ['claim']);
    await clock.advance(1);
    assert.equal(await late, 'ledger_unavailable');
    const second = limit.goOn(work('second claim'));
    await clock.advance(60_000);
    await end('w2');
    await end('second claim');
    assert.equal(await second, 'second claim');
    await end('claim');
    assert.equal(await claim, 'claim');
    assert.deepEqual(begun, ['claim', 'second claim']);
  });

  it('gives the place of failed work to the next, and none to work that was refused', async () => {
    const { begin, begun, clock, end, limit, work } = world();
    const failing = limit.begin(async () => {
      await work('failing')();
      throw new Error('disk full');
    });
    const failure = assert.rejects(failing, /disk full/u);
    begin(15);
    const refused = limit.begin(work('refused')).catch(codeOf);
    await clock.advance(1000);
    assert.equal(await refused, 'ledger_unavailable');
    void limit.begin(work('next'));
    await end('failing');
    await failure;
    assert.deepEqual(begun, ['next']);
  });
});

/** Lets a function of the ledger wait for its share before it does its work. */
function slow<Name extends 'intent' | 'change'>(
  ledger: Ledger,
  name: Name,
  share: () => Promise<void>,
): void {
  const work = ledger[name] as (...args: unknown[]) => Promise<unknown>;
  const slowed = async (...args: unknown[]): Promise<unknown> => {
    await share();
    return work(...args);
  };
  Object.assign(ledger, { [name]: slowed });
}

describe('a crowd of customers at a slow ledger', () => {
  it('is served as fast as the ledger can, and the rest are refused', async () => {
    const STATEMENT_MS = 10;
    const PAYS_PER_SECOND = 60;
    const SECONDS = 20;
    const { clock, context, pays, store } = await createParts();
    const { ledger } = context;
    const statements: (() => void)[] = [];
    const share = (): Promise<void> => new Promise((run) => statements.push(run));
    slow(ledger, 'intent', share);
    slow(ledger, 'change', share);
    const placeWith = createPlace(context, {
      store,
      restored: createRestored(context, store),
      queryNow: ({ request_id }) => readOrder(ledger, request_id),
    });
    const read = await readIntent(context.config, openIntent, 'i1');
    const results: string[] = [];
    const pay = async (name: string): Promise<void> => {
      const place = placeWith({ ...read, intent_id: name }, { option: 'card' });
      results.push(await place.then(() => 'placed', codeOf));
    };
    let paysLastSecond = 0;
    for (let ms = 0; ms < SECONDS * 1000; ms += STATEMENT_MS) {
      if (ms === (SECONDS - 1) * 1000) paysLastSecond = pays.length;
      if (ms % (1000 / PAYS_PER_SECOND) < STATEMENT_MS) void pay(`i${ms}`);
      await clock.advance(STATEMENT_MS);
      statements.shift()?.();
    }
    const placed = results.filter((result) => result === 'placed').length;
    const refused = results.filter((result) => result === 'ledger_unavailable').length;
    assert.equal(placed + refused, results.length, String(new Set(results)));
    // each order needs three statements: 33 orders a second
    assert.ok(pays.length - paysLastSecond >= 30, `${pays.length - paysLastSecond} in a second`);
    assert.ok(placed >= SECONDS * 30, `${placed} placed`);
    assert.ok(refused > SECONDS * 15, `${refused} refused`);
  });
});

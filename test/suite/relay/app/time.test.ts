/** When a clock steps or starts in another year, orders are polled and nothing happens early. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createLedgerClock, type LedgerClock } from '../../../../relay/ledger/ledger-clock.js';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import type { Stamp } from '../../../../relay/ledger/rows.js';
import { LedgerBusyError } from '../../../../relay/ledger/ledger-errors.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { systemClock, type Clock } from '../../../../relay/runtime.js';
import {
  createWorld,
  identityOn,
  openIntent,
  readSecret,
  testConfig,
  until,
  type World,
} from '../../support/world.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { claimOrder, findOrder, recordPostponed } from '../../support/ledger-calls.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const folder = temporaryFolder('time');

/** A clock whose wall time a test can step, and whose elapsed time a test can move ahead. */
function steppingClock(): Clock & {
  /** Moves the wall clock, without an effect on elapsed time. */
  step(ms: number): void;
  /** Lets time pass, on the wall clock and in elapsed time. */
  pass(ms: number): void;
} {
  let stepped = 0;
  let passed = 0;
  return {
    ...systemClock,
    now: () => Date.now() + stepped + passed,
    elapsed: () => systemClock.elapsed() + passed,
    step: (ms) => void (stepped += ms),
    pass: (ms) => void (passed += ms),
  };
}

/** A world without webhook signals, so that only the schedule polls an order. */
const worldAt = (clock: Clock, more: Parameters<typeof createWorld>[0] = {}): World =>
  createWorld({ clock, sandboxOptions: { notify: async () => {} }, ...more });

type Placed = { request_id: string; order_key: string };
async function place(world: World, attempt = crypto.randomUUID()): Promise<Placed> {
  const { body } = await world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr' });
  assert.ok(body.order, JSON.stringify(body));
  return { request_id: body.order.request_id, order_key: body.order.order_key };
}
const customerPays = (world: World, { request_id }: Placed): void => {
  const order = world.sandbox.orders.byRequest(request_id);
  assert.ok(order);
  world.sandbox.orders.act(order, 'confirm');
};
const tickUntil = (world: World, holds: () => Promise<boolean>, what: string): Promise<void> =>
  until(async () => {
    await world.relay.tick();
    return holds();
  }, what);
const isPaid = async (ledger: Ledger, { request_id }: Placed): Promise<boolean> =>
  (await findOrder(ledger, request_id))?.outcome === 'succeeded';

describe('a wall clock that steps back', () => {
  for (const back of [90_000, 2 * HOUR_MS])
    it(`polls an order when the wall clock steps ${back / MINUTE_MS} minutes back`, async () => {
      const clock = steppingClock();
      const world = worldAt(clock);
      const order = await place(world);
      await world.relay.tick();
      clock.step(-back);
      customerPays(world, order);
      await tickUntil(world, () => isPaid(world.ledger, order), 'paid by the schedule');
    });

  it('polls an order when the ledger could not be written at the step back', async () => {
    const clock = steppingClock();
    const ledger = memoryLedger();
    let failures = 0;
    const world = worldAt(clock, {
      ledger: {
        ...ledger,
        repairSchedules: async (...args) => {
          if (failures++ < 2) throw new LedgerBusyError('the disk is full');
          return ledger.repairSchedules(...args);
        },
      },
    });
    const order = await place(world);
    await world.relay.tick();
    clock.step(-2 * HOUR_MS);
    customerPays(world, order);
    await tickUntil(world, () => isPaid(world.ledger, order), 'paid by the schedule');
    assert.ok(failures > 2);
  });

  it('goes on with the repair of the schedules after a reload', async () => {
    const ledger = memoryLedger();
    const begun: (number | null)[] = [];
    const world = worldAt(steppingClock(), {
      ledger: {
        ...ledger,
        repairSchedules: async (...args) => {
          const [, , from] = args;
          begun.push(from);
          await ledger.repairSchedules(...args);
          return from === null ? 1000 : null;
        },
      },
    });
    await world.relay.tick();
    await world.relay.reload(parseConfig(testConfig, readSecret));
    await world.relay.tick();
    await world.relay.tick();
    assert.deepEqual(begun, [null, 1000]);
  });

  it('shortens no claim of a relay whose requests may take longer', async () => {
    const ledger = memoryLedger();
    const clock = steppingClock();
    const at = clock.now();
    for (const [id, until] of Object.entries({ slow: at + 64_000, wrong: at + HOUR_MS })) {
      const made = { created_at: at, aged_from: at, next_check_at: until, intent_id: id };
      const order = { ...fresh, ...made, request_id: id, sending: 'claimed' } as const;
      const intent = { ...freshIntent, intent_id: id, created_at: at };
      await claimOrder(ledger, { intent, order, after: null });
    }
    await worldAt(clock, { ledger }).relay.tick();
    assert.equal((await findOrder(ledger, 'slow'))?.next_check_at, at + 64_000);
    assert.ok(((await findOrder(ledger, 'wrong'))?.next_check_at ?? 0) < at + 10 * MINUTE_MS);
  });

  it('answers the query of a page when the wall clock steps back', async () => {
    const clock = steppingClock();
    const world = worldAt(clock);
    const order = await place(world);
    await world.ask('/v1/query', order);
    clock.step(-HOUR_MS);
    customerPays(world, order);
    await until(async () => {
      const { body } = await world.ask('/v1/query', order);
      return body.order?.outcome === 'succeeded';
    }, 'the page sees the payment');
  });

  it('delivers an event that another relay had leased when the clock steps back', async () => {
    const delivered: string[] = [];
    const clock = steppingClock();
    const world = worldAt(clock, {
      config: { shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } } },
      shopFetch: async (_url, init) => {
        delivered.push((JSON.parse(String(init.body)) as { type: string }).type);
        return new Response();
      },
    });
    await place(world);
    const now = clock.now();
    assert.equal((await world.ledger.leaseDueEvents(now, now + 20_000, 10)).length, 1);
    clock.step(-HOUR_MS);
    await tickUntil(world, async () => delivered.length > 0, 'delivered');
  });

  it('closes the circuit breaker when the wall clock steps back', async () => {
    const clock = steppingClock();
    const world = worldAt(clock);
    world.sandbox.faults.add({ operation: '*', fault: 'cut_before', times: 0 });
    const pay = (): ReturnType<World['ask']> =>
      world.ask('/v1/pay', { ...openIntent, attempt: crypto.randomUUID(), option: 'qr' });
    for (let calls = 0; calls < 3; calls++) await pay();
    assert.equal((await pay()).status, 503);
    clock.step(-DAY_MS);
    world.sandbox.faults.clear();
    await tickUntil(world, async () => (await pay()).status === 200, 'closed again');
  });
});

describe('a wall clock that steps forward', () => {
  /** How long a claim holds in the configuration of these tests: its timeout and four seconds. */
  const CLAIM_MS = 14_000;
  const GRACE_MS = 1000;

  it('resends an order only after claim and grace when the clock steps forward', async () => {
    const clock = steppingClock();
    const world = worldAt(clock, {
      config: { service: { ...testConfig.service, resend_after_s: GRACE_MS / 1000 } },
    });
    world.sandbox.faults.add({ operation: 'pay', fault: 'cut_before' });
    const order = await place(world);
    const sent = (): number => world.pays().length;
    clock.step(HOUR_MS);
    for (const ms of [0, CLAIM_MS - GRACE_MS, GRACE_MS]) {
      clock.pass(ms);
      for (let ticks = 0; ticks < 5; ticks++) await world.relay.tick();
      assert.equal(sent(), 1, 'not before claim and grace are over');
    }
    clock.pass(GRACE_MS + CLAIM_MS);
    await tickUntil(world, async () => sent() === 2, 'sent again');
    assert.equal((await findOrder(world.ledger, order.request_id))?.status, 11);
  });

  it('keeps a claim during its request when the wall clock steps forward', async () => {
    const clock = steppingClock();
    const ledger = memoryLedger();
    const world = worldAt(clock, { ledger });
    const other = worldAt(clock, { ledger, sandbox: world.sandbox });
    await other.relay.tick();
    world.sandbox.faults.add({ operation: 'pay', fault: 'slow', delay_ms: 300 });
    const attempt = crypto.randomUUID();
    const placing = place(world, attempt);
    const intentId = await identityOn(ledger).intentIdOf(attempt);
    await until(async () => (await ledger.intent(intentId)) !== null, 'claimed');
    clock.step(HOUR_MS);
    for (let ticks = 0; ticks < 5; ticks++) await other.relay.tick();
    const row = await findOrder(ledger, (await placing).request_id);
    assert.deepEqual([row?.sending, row?.outcome, row?.lost_at], ['answered', 'pending', null]);
  });

  it('keeps polling an order when the wall clock steps 174 years forward', async () => {
    const clock = steppingClock();
    const world = worldAt(clock);
    const order = await place(world);
    await world.relay.tick();
    clock.step(174 * 365 * DAY_MS);
    await world.ask('/v1/query', order);
    for (let ticks = 0; ticks < 3; ticks++) await world.relay.tick();
    assert.notEqual((await findOrder(world.ledger, order.request_id))?.next_check_at, null);
  });
});

describe('an order that is placed while the wall clock is behind', () => {
  for (const behind of [2 * HOUR_MS, 4 * DAY_MS])
    it(`queries an order soon when a clock ${behind / HOUR_MS} h behind is corrected`, async () => {
      const clock = steppingClock();
      const world = worldAt(clock);
      await world.relay.tick();
      clock.step(-behind);
      await world.relay.tick();
      const order = await place(world);
      clock.step(behind);
      await tickUntil(
        world,
        async () => (await findOrder(world.ledger, order.request_id))?.checked_at !== null,
        'queried by the schedule',
      );
      const row = await findOrder(world.ledger, order.request_id);
      const waitMs = (row?.next_check_at ?? Infinity) - clock.now();
      assert.ok(waitMs <= 15_000, `queried again after ${waitMs} ms`);
    });
});

describe('an order that is placed between two steps forward of the wall clock', () => {
  const nextQueryInMs = async (world: World): Promise<number> => {
    const waits = recordPostponed(world.ledger);
    await tickUntil(world, async () => waits.length > 0, 'queried by the schedule');
    return waits[0] ?? Infinity;
  };

  it('queries an order by its true age when it was placed between two clock steps', async () => {
    const clock = steppingClock();
    const world = worldAt(clock);
    await world.relay.tick();
    clock.step(2 * HOUR_MS);
    await world.relay.tick();
    await place(world);
    clock.step(2 * HOUR_MS);
    assert.ok((await nextQueryInMs(world)) <= 2000);
  });

  it('queries an order by its true age also after another relay has started', async () => {
    const clock = steppingClock();
    const ledger = memoryLedger();
    const first = worldAt(clock, { ledger });
    await first.relay.tick();
    clock.step(2 * HOUR_MS);
    await first.relay.tick();
    await place(first);
    clock.step(2 * HOUR_MS);
    clock.pass(MINUTE_MS);
    await first.relay.tick();
    await first.relay.close();
    const second = worldAt(clock, { ledger, sandbox: first.sandbox });
    assert.ok((await nextQueryInMs(second)) <= 5000);
  });
});

describe('the purge of old intents', () => {
  it('purges no intent and sends no order again when the clock steps years forward', async () => {
    const clock = steppingClock();
    const world = worldAt(clock, {
      config: { service: { ...testConfig.service, resend_after_s: 1 } },
    });
    const [openAttempt, paidAttempt] = [crypto.randomUUID(), crypto.randomUUID()];
    const open = await place(world, openAttempt);
    const paid = await place(world, paidAttempt);
    customerPays(world, paid);
    await tickUntil(world, () => isPaid(world.ledger, paid), 'paid');

    clock.step(5 * 365 * DAY_MS);
    // the relay purges every ten minutes
    clock.pass(11 * MINUTE_MS);
    await world.relay.tick();
    await world.relay.tick();

    assert.equal((await place(world, openAttempt)).request_id, open.request_id);
    assert.equal((await place(world, paidAttempt)).request_id, paid.request_id);
    const outcomes = [open, paid].map(
      async ({ request_id }) => (await findOrder(world.ledger, request_id))?.outcome,
    );
    assert.deepEqual(await Promise.all(outcomes), ['pending', 'succeeded']);
    assert.equal(world.pays().length, 2);
  });
});

describe('a relay that was killed while its clock was wrong', () => {
  it('polls at once when a wrong clock was corrected before the next start', async () => {
    const ledger = memoryLedger();
    const first = worldAt(systemClock, { ledger });
    await first.relay.tick();
    const saved = await ledger.setting('clock');
    await first.relay.close();

    const ahead = { ...systemClock, now: () => Date.now() + 20 * HOUR_MS };
    const wrong = worldAt(ahead, { ledger });
    const order = await place(wrong);
    await wrong.relay.close();
    // as if the relay was killed before it saved the time of its clock
    if (saved !== null) await ledger.writeSetting('clock', saved);

    const corrected = worldAt(systemClock, { ledger, sandbox: wrong.sandbox });
    customerPays(corrected, order);
    await tickUntil(corrected, () => isPaid(ledger, order), 'paid by the schedule');
  });
});

describe('an order that was leased while the clock was ahead', () => {
  for (const [what, ahead] of [
    ['ten minutes', 10 * MINUTE_MS],
    ['8 hours', 8 * HOUR_MS],
  ] as const)
    it(`queries an order soon when a relay ${what} ahead died after its lease`, async () => {
      const ledger = memoryLedger();
      const first = worldAt(systemClock, { ledger });
      const order = await place(first);
      await first.relay.tick();
      await first.relay.close();
      customerPays(first, order);

      // a relay with a wrong clock saves its time, leases the order, and is killed
      const wrongNow = Date.now() + ahead;
      const wrongClock = { ...systemClock, now: () => Date.now() + ahead };
      await createLedgerClock(ledger, wrongClock, () => {}).sync();
      await ledger.leaseDueOrders(wrongNow, wrongNow + 10_000, 10);

      const corrected = worldAt(systemClock, { ledger, sandbox: first.sandbox });
      await tickUntil(corrected, () => isPaid(ledger, order), 'paid by the schedule');
    });
});

describe('a relay that starts in another year', () => {
  for (const year of [1970, 2200])
    it(`polls the orders of the ledger when its clock says ${year}`, async () => {
      const name = `sqlite:${join(folder, `${year}.db`)}`;
      const before = await openLedger(name);
      const world = worldAt(systemClock, { ledger: before });
      const order = await place(world);
      await world.relay.tick();
      await world.relay.close();
      await before.close();

      const ledger = await openLedger(name);
      const shift = Date.UTC(year, 0, 2) - Date.now();
      const clock = { ...systemClock, now: () => Date.now() + shift };
      const later = worldAt(clock, { ledger, sandbox: world.sandbox });
      customerPays(later, order);
      await tickUntil(later, () => isPaid(ledger, order), 'paid by the schedule');
      const again = await place(later);
      customerPays(later, again);
      await tickUntil(later, () => isPaid(ledger, again), 'a new order too');
      await later.relay.close();
      await ledger.close();
    });
});

describe('the clock of a ledger', () => {
  const settings = (): Pick<Ledger, 'setting' | 'writeSetting'> => memoryLedger();
  const START = 1000 * DAY_MS;

  /** A machine whose time only a test moves, and one ledger for all its processes. */
  function stoppedMachine(): {
    wall(): number;
    step(ms: number): void;
    pass(ms: number): void;
    /** Starts the machine anew: elapsed time counts from zero, and the wall clock goes on. */
    boot(): void;
    /** How many steps back the clocks have reported. */
    stepsBack(): number;
    /** A clock that has not read the ledger. */
    make(): LedgerClock;
    /** The ledger's clock in a process that starts now. */
    start(): Promise<LedgerClock>;
  } {
    const ledger = { ...settings(), now: () => null };
    let elapsed = 50 * HOUR_MS;
    let wall = START;
    let stepsBack = 0;
    const clock = { ...systemClock, now: () => wall, elapsed: () => elapsed };
    const make = (): LedgerClock => createLedgerClock(ledger, clock, () => void stepsBack++);
    return {
      wall: () => wall,
      step: (ms) => void (wall += ms),
      pass: (ms) => {
        wall += ms;
        elapsed += ms;
      },
      boot: () => void (elapsed = 0),
      stepsBack: () => stepsBack,
      make,
      start: async () => {
        const time = make();
        await time.sync();
        return time;
      },
    };
  }

  it('lets the aging time catch up with the clock by a tenth of the time that passes', async () => {
    const { pass, start, step, wall } = stoppedMachine();
    const time = await start();
    step(3 * HOUR_MS);
    time.now();
    pass(HOUR_MS + 0.25);
    assert.equal(time.agingNow(), START + 1.1 * HOUR_MS);
    // the database stores whole milliseconds
    assert.ok(Number.isInteger(time.agingNow()));
    pass(28 * HOUR_MS);
    assert.ok(time.agingNow() < wall());
    pass(2 * HOUR_MS);
    assert.equal(time.agingNow(), Math.floor(wall()));
  });

  it('lets the aging time wait for a clock behind it by a tenth of the time', async () => {
    const { pass, start, step, wall } = stoppedMachine();
    const time = await start();
    step(-HOUR_MS);
    time.now();
    pass(HOUR_MS);
    assert.deepEqual([time.agingNow(), time.latestNow()], Array(2).fill(START + 0.9 * HOUR_MS));
    pass(9 * HOUR_MS);
    assert.equal(time.agingNow(), wall());
  });

  it('purges by the aging time until the clock has run for a day without a step', async () => {
    const { pass, start, step, wall } = stoppedMachine();
    const time = await start();
    step(100 * DAY_MS);
    time.now();
    pass(DAY_MS - 1);
    assert.ok(time.earliestNow() < START + 27 * HOUR_MS);
    pass(1);
    assert.equal(time.earliestNow(), wall());
    step(-200 * DAY_MS);
    assert.equal(time.earliestNow(), wall());
  });

  it('knows the age of an order to a fifth, and never more than a tenth too old', async () => {
    const hoursStepped = fc.array(fc.integer({ min: -300, max: 300 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(hoursStepped, async (steps) => {
        const { pass, start, step } = stoppedMachine();
        const time = await start();
        const made: { stamp: Stamp; at: number }[] = [];
        for (const [hour, hours] of steps.entries()) {
          made.push({ stamp: time.stamp(), at: hour });
          step(hours * HOUR_MS);
          time.now();
          pass(HOUR_MS);
          for (const { at, stamp } of made) {
            const part = (time.ageOf(stamp) ?? Infinity) / ((hour + 1 - at) * HOUR_MS);
            assert.ok(part >= 0.8 && part <= 1.1, `${part} of its age`);
          }
        }
      }),
    );
  });

  it('reports each step back of a second or more once', async () => {
    const { start, step, stepsBack } = stoppedMachine();
    const time = await start();
    for (const ms of [5 * HOUR_MS, -999, -1000]) {
      step(ms);
      time.now();
      time.now();
    }
    assert.equal(stepsBack(), 1);
  });

  it('reports no step back when a process starts a second behind the saved time', async () => {
    const { boot, start, step, stepsBack } = stoppedMachine();
    await start();
    boot();
    step(-1000);
    await start();
    assert.equal(stepsBack(), 0);
    boot();
    step(-1001);
    await start();
    assert.equal(stepsBack(), 1);
  });

  it('believes no step forward about an order that was made after the last save', async () => {
    const { boot, pass, start, step } = stoppedMachine();
    const time = await start();
    pass(50_000);
    const stamp = time.stamp();
    boot();
    step(2 * HOUR_MS);
    const restarted = await start();
    assert.equal(restarted.ageOf(stamp), 0);
    pass(10 * MINUTE_MS);
    const ageMs = restarted.ageOf(stamp) ?? Infinity;
    assert.ok(ageMs >= 9 * MINUTE_MS && ageMs <= 11 * MINUTE_MS, `${ageMs} ms`);
  });

  it('counts nothing as old before it has read what was saved', async () => {
    const { make, start, step, wall } = stoppedMachine();
    const stamp = (await start()).stamp();
    step(100 * DAY_MS);
    const time = make();
    assert.deepEqual([time.agingNow(), time.earliestNow()], [0, 0]);
    assert.equal(time.stamp().aged_from, wall());
    await time.sync();
    assert.ok(time.agingNow() < START + HOUR_MS);
    assert.ok((time.ageOf(stamp) ?? DAY_MS) < HOUR_MS);
  });

  it('knows no age of an order that both clocks date into the future', async () => {
    const { start, wall } = stoppedMachine();
    const time = await start();
    const ageOf = (ms: number) => time.ageOf({ created_at: wall() + ms, aged_from: wall() + ms });
    // two relays may differ by five seconds
    assert.deepEqual([ageOf(5000), ageOf(5001)], [0, null]);
  });

  it('counts time while the wall clock stands still, and sees no step afterwards', async () => {
    const { pass, start, step, wall } = stoppedMachine();
    const time = await start();
    for (let seconds = 0; seconds < 60; seconds++) {
      pass(1000);
      step(-1000);
      assert.equal(time.now(), wall() + (seconds + 1) * 1000);
    }
    step(60_000);
    assert.deepEqual([time.now(), time.steadyMs()], [wall(), 60_000]);
  });

  it('takes the ledger’s time from the database when it has a clock', async () => {
    let elapsed = 0;
    const clock = { ...systemClock, now: () => 5, elapsed: () => elapsed };
    const ledger = { ...settings(), now: () => Promise.resolve(700_000) };
    const time = createLedgerClock(ledger, clock, () => {});
    await time.sync();
    elapsed += 250;
    assert.equal(time.now(), 700_250);
  });

  it('takes the database’s time as read in the middle of a slow request', async () => {
    let elapsed = 1000;
    const clock = { ...systemClock, now: () => 5, elapsed: () => elapsed };
    const answer = async (): Promise<number> => {
      elapsed += 400;
      return 700_000;
    };
    const time = createLedgerClock({ ...settings(), now: answer }, clock, () => {});
    await time.read();
    assert.equal(time.now(), 700_200);
  });

  it('sees no step when the database answers late, and sees one that it shows anyway', async () => {
    let elapsed = 0;
    let wall = 700_000;
    let [waitMs, answerMs] = [0, 0];
    let stepsBack = 0;
    const pass = (ms: number): void => {
      elapsed += ms;
      wall += ms;
    };
    const clock = { ...systemClock, now: () => 5, elapsed: () => elapsed };
    const answer = async (): Promise<number> => {
      pass(waitMs);
      const read = wall;
      pass(answerMs);
      return read;
    };
    const ledger = { ...settings(), now: answer };
    const time = createLedgerClock(ledger, clock, () => void stepsBack++);
    const readAfter = async (before: number, after: number): Promise<void> => {
      [waitMs, answerMs] = [before, after];
      await time.read();
      pass(100_000);
    };
    // it waits for a connection, or the answer is late
    for (const [before, after] of [
      [0, 0],
      [4000, 0],
      [0, 0],
      [0, 4000],
      [0, 0],
    ] as const)
      await readAfter(before, after);
    assert.deepEqual([stepsBack, time.now()], [0, wall]);
    assert.ok(time.steadyMs() >= 500_000);
    wall -= 10_000;
    await readAfter(4000, 0);
    assert.equal(stepsBack, 1);
    assert.ok(time.steadyMs() <= 100_000);
  });

  it('compares the first time of the database with nothing', async () => {
    let stepsBack = 0;
    const clock = { ...systemClock, now: () => 9_000_000, elapsed: () => 0 };
    const ledger = { ...settings(), now: async () => 700_000 };
    await createLedgerClock(ledger, clock, () => void stepsBack++).read();
    assert.equal(stepsBack, 0);
  });

  it('saves the time each minute', async () => {
    let elapsed = 0;
    let saves = 0;
    const clock = { ...systemClock, now: () => START + elapsed, elapsed: () => elapsed };
    const writeSetting = async (): Promise<void> => void saves++;
    const ledger = { ...settings(), now: () => null, writeSetting };
    const time = createLedgerClock(ledger, clock, () => {});
    for (const [ms, expected] of [
      [0, 1],
      [MINUTE_MS - 1, 1],
      [1, 2],
    ] as const) {
      elapsed += ms;
      await time.sync();
      assert.equal(saves, expected);
    }
  });

  it('counts a clock as steady over a restart only when both clocks agree', async () => {
    const { pass, start, step } = stoppedMachine();
    const steadyMs = async (): Promise<number> => (await start()).steadyMs();
    assert.equal(await steadyMs(), 0);
    pass(HOUR_MS);
    assert.equal(await steadyMs(), HOUR_MS);
    step(HOUR_MS);
    pass(HOUR_MS);
    assert.equal(await steadyMs(), 0);
  });

  it('keeps the aging time through later steps and a restart while a clock is behind', async () => {
    const { pass, start, step, wall } = stoppedMachine();
    const time = await start();
    step(-HOUR_MS);
    await time.read();
    for (const ms of [-3000, 3000, -2 * HOUR_MS]) {
      pass(5 * MINUTE_MS);
      step(ms);
      await time.sync();
    }
    const restarted = await start();
    const stamp = restarted.stamp();
    pass(10 * MINUTE_MS);
    // the clock is right again
    step(START + 25 * MINUTE_MS - wall());
    assert.ok(Math.abs((restarted.ageOf(stamp) ?? 0) - 10 * MINUTE_MS) <= MINUTE_MS);
  });

  it('advances the aging time over a restart when the clock was 5 ms behind', async () => {
    const { pass, start, step, wall } = stoppedMachine();
    const before = await start();
    pass(2 * MINUTE_MS);
    await before.read();
    step(-5);
    await before.sync();
    pass(10 * HOUR_MS);
    assert.ok(wall() - (await start()).agingNow() < 1000);
  });
});

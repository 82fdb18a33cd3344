/** A lost request is resent only while its order is the current one of an unpaid intent. */
import { expect } from '@open-wc/testing';
import { systemClock } from '../../../../../relay/runtime.js';
import { createWorld, openIntent, testConfig, until, type World } from '../../../support/world.js';

/** A world that resends a lost request after one second, and whose clock a test moves ahead. */
function resendingWorld(): { world: World; later(): Promise<void> } {
  let shift = 0;
  const service = { ...testConfig.service, resend_after_s: 1, queries_per_second: 1000 };
  const world = createWorld({
    config: { service },
    clock: {
      now: () => Date.now() + shift,
      elapsed: () => performance.now() + shift,
      sleep: systemClock.sleep,
    },
  });
  return {
    world,
    // moves the clock past the claim and the delay of a resend, in steps of three seconds
    later: async () => {
      for (let round = 0; round < 10; round++) {
        shift += 3000;
        await world.relay.tick();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

type Replaces = { request_id: string; order_key: string };

const pay = (
  world: World,
  attempt: string,
  option: string,
  replaces?: Replaces,
): ReturnType<World['ask']> => world.ask('/v1/pay', { ...openIntent, attempt, option, replaces });

/** An order whose request never reached the service, and the order that replaced it. */
async function lostAndReplaced(world: World): Promise<{ lost: string; second: string }> {
  const attempt = crypto.randomUUID();
  world.sandbox.faults.add({ operation: 'pay', fault: 'cut_before' });
  const first = (await pay(world, attempt, 'card')).body.order!;
  expect(first.outcome).to.equal('confirming');
  const replaces = { request_id: first.request_id, order_key: first.order_key };
  const second = (await pay(world, attempt, 'qr', replaces)).body.order!;
  return { lost: first.request_id, second: second.request_id };
}

const sentIds = (world: World): unknown[] => world.pays().map(({ request_id }) => request_id);

describe('a lost request', () => {
  it('resends a lost request when its order is still the current one', async () => {
    const { later, world } = resendingWorld();
    world.sandbox.faults.add({ operation: 'pay', fault: 'cut_before' });
    const { order } = (await pay(world, crypto.randomUUID(), 'card')).body;
    await later();
    expect(sentIds(world)).to.deep.equal([order?.request_id, order?.request_id]);
    expect((await world.ledger.order(order?.request_id ?? ''))?.sending).to.equal('answered');
  });

  it('does not resend a lost request when another order of the intent is paid', async () => {
    const { later, world } = resendingWorld();
    const { lost, second } = await lostAndReplaced(world);
    world.sandbox.orders.act(world.sandbox.orders.byRequest(second)!, 'confirm');
    const outcome = async (): Promise<string | undefined> =>
      (await world.ledger.order(second))?.outcome;
    await until(async () => (await outcome()) === 'succeeded', 'the second order is paid');
    await later();
    expect(sentIds(world)).to.deep.equal([lost, second]);
    expect(world.sandbox.orders.byRequest(lost)).to.equal(undefined);
  });

  it('does not resend a lost request when its order was replaced', async () => {
    const { later, world } = resendingWorld();
    const { lost, second } = await lostAndReplaced(world);
    await later();
    expect(sentIds(world)).to.deep.equal([lost, second]);
  });
});

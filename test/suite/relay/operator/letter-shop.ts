/** A shop whose customers write letters: what the service and the shop's backend do to it. */
import assert from 'node:assert/strict';
import type { Sandbox } from '../../../../relay/sandbox/sandbox.js';
import { bearer, until, type World } from '../../support/world.js';
import { signedPay, type SignedPay } from './signed-pay.js';

export type LetterShop = {
  readonly pay: SignedPay;
  /** The service gives the order another status, and tells nobody. */
  statusOf(id: string, status: number): void;
  outcome(id: string): Promise<string | undefined>;
  /** The service gives the order another status, and the relay learns of it. */
  seen(id: string, status: number, wanted: string): Promise<void>;
  allDelivered(): Promise<void>;
};

/** @param sandbox the service of the world's relay */
export function letterShop(world: World, sandbox: Sandbox): LetterShop {
  const { ledger, relay } = world;
  const statusOf = (id: string, status: number): void => {
    const upstream = sandbox.orders.byRequest(id);
    assert.ok(upstream);
    sandbox.orders.setStatus(upstream, status);
  };
  const outcome = async (id: string) => (await ledger.find(id))?.order.outcome;
  return {
    pay: signedPay(world),
    statusOf,
    outcome,
    seen: async (id, status, wanted) => {
      statusOf(id, status);
      await until(async () => {
        await world.ask('/v1/query', { request_id: id }, bearer);
        return (await outcome(id)) === wanted;
      }, `${id} is ${wanted}`);
    },
    allDelivered: () =>
      until(async () => {
        await relay.tick();
        return (await ledger.undelivered()).length === 0;
      }, 'all delivered'),
  };
}

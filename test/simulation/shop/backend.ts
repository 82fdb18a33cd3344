/** A shop's backend asks the relay about orders, with its secret key. */
import { z } from 'zod';
import type { Random } from '../chance.js';
import type { Checker } from '../checker/checker.js';
import { shopOrder, type Purchase } from '../checker/facts.js';
import type { Deployment } from '../machine/deployment.js';
import type { ShopSetup } from '../machine/shop-config.js';
import type { Scheduler } from '../time/scheduler.js';

export type Backend = {
  /**
   * Asks about an order or an intent, as often as it takes.
   *
   * @returns whether the relay knows it; null when it could not say
   */
  ask(
    named: { intent_id: string } | { request_id: string },
    expect?: Purchase,
  ): Promise<boolean | null>;
};

const answer = z.object({ order: shopOrder, attempts: z.array(shopOrder) });
const failure = z.object({ error: z.object({ code: z.string() }) });

const MAX_TRIES = 8;
const PAUSE_MS = 5000;

export function createBackend(deps: {
  setup: ShopSetup;
  deployment: Deployment;
  scheduler: Scheduler;
  random: Random;
  checker: Checker;
}): Backend {
  const { checker, deployment, random, scheduler, setup } = deps;
  return {
    ask: async (named, expect) => {
      const body = JSON.stringify({
        ...named,
        ...(expect && { expect: { amount: expect.amount, currency: expect.currency } }),
      });
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const reached = await deployment.ask(
          new Request(`${setup.origin}/v1/query`, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'content-length': String(body.length),
              authorization: `Bearer ${setup.secretKey}`,
            },
            body,
          }),
          random,
        );
        if (typeof reached !== 'string') {
          const told = answer.safeParse(reached.body);
          if (told.success) {
            for (const order of told.data.attempts)
              checker.tell({ kind: 'backend_told', shop: setup.name, order });
            return true;
          }
          const refused = failure.safeParse(reached.body);
          if (refused.success && refused.data.error.code === 'order_unknown') return false;
          if (refused.success && refused.data.error.code === 'not_as_expected' && expect)
            checker.tell({ kind: 'page_refused', purchase: expect, code: 'not_as_expected' });
        }
        await scheduler.sleep(PAUSE_MS);
      }
      return null;
    },
  };
}

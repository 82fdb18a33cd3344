/** The person at a shop who looks at orders in review, and decides by the service's book. */
import { createLedgerClock } from '../../../../relay/ledger/ledger-clock.js';
import { Refusal } from '../../../../relay/operator/refusal.js';
import { verbs } from '../../../../relay/operator/verbs.js';
import { NotInReview, resolveOrder } from '../../../../relay/orders/resolve.js';
import { noMetrics } from '../../../../relay/runtime.js';
import type { Random } from '../chance.js';
import type { Checker } from '../checker/checker.js';
import { shownIntent, type Purchase } from '../checker/facts.js';
import type { History } from '../history.js';
import type { Deployment } from '../machine/deployment.js';
import type { ShopSetup } from '../machine/shop-config.js';
import type { Book } from '../service/book.js';
import type { Scheduler } from '../time/scheduler.js';

export type Person = {
  /** Tells the person of an order in review. */
  look(requestId: string): void;
  /** Reads what happened to the intent of a purchase, as the console shows it. */
  lookAt(purchase: Purchase): Promise<void>;
};

const MEAN_WAIT_MS = 4 * 60_000;
const RETRY_MS = 60_000;
const MAX_TRIES = 8;
/** The share of reviews that the person decides. The other reviews stay open. */
const DECIDED_PART = 0.7;

export function createPerson(deps: {
  setup: ShopSetup;
  deployment: Deployment;
  scheduler: Scheduler;
  history: History;
  random: Random;
  book: Book;
  checker: Checker;
}): Person {
  const { book, checker, deployment, history, random, scheduler, setup } = deps;
  const looking = new Set<string>();

  const resolve = async (requestId: string, as: 'succeeded' | 'failed'): Promise<void> => {
    const process = deployment.anyRunning();
    const ledger = process?.ledger();
    if (!process || !ledger) throw new Error('no relay runs');
    const ledgerClock = createLedgerClock(ledger, process.clock, () => {});
    await ledgerClock.read();
    const context = {
      config: setup.config,
      ledger,
      ledgerClock,
      log: () => {},
      metrics: noMetrics,
    };
    await resolveOrder(context, { requestId, as, by: 'a person', note: 'looked at the book' });
  };

  const isDecided = async (requestId: string, as: 'succeeded' | 'failed'): Promise<boolean> => {
    const found = await deployment.anyRunning()?.ledger()?.find(requestId);
    return found?.order.resolved_as === as;
  };

  const decide = async (requestId: string): Promise<void> => {
    const isPaid = book.byRequest(requestId).some(({ paidAt }) => paidAt !== null);
    const as = isPaid ? 'succeeded' : 'failed';
    checker.tell({ kind: 'begins_to_decide', requestId, as });
    let wasUnsure = false;
    const done = (): void => {
      history.write(`person of ${setup.name}`, `decides ${requestId} as ${as}`);
      checker.tell({ kind: 'decided', shop: setup.name, requestId, as });
    };
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      // a command whose machine dies never ends: the person tries again
      const ended = await Promise.race([
        resolve(requestId, as).then(
          () => 'done' as const,
          (error: unknown) => (error instanceof NotInReview ? 'no review' : 'failed'),
        ),
        scheduler.sleep(RETRY_MS).then(() => 'unsure' as const),
      ]);
      if (ended === 'done') return done();
      if (ended === 'no review') {
        // the first try may have worked before its machine died
        if (wasUnsure && (await isDecided(requestId, as))) done();
        return;
      }
      wasUnsure = true;
      await scheduler.sleep(RETRY_MS);
    }
  };

  return {
    lookAt: async ({ intentId }) => {
      const relay = deployment.anyRunning()?.relay();
      if (!relay || intentId === null) return;
      const answer = await verbs['orders/show']
        .run(relay.verbDeps(), { id: intentId }, 'a person')
        .catch((error: unknown) => {
          // a customer who saw no order has no intent in the ledger
          if (error instanceof Refusal) return null;
          throw error;
        });
      if (answer === null) return;
      const shown = shownIntent.parse(answer);
      checker.tell({ kind: 'looked_at', shop: setup.name, intentId, shown });
    },
    look: (requestId) => {
      if (looking.has(requestId)) return;
      looking.add(requestId);
      const wait = random.wait(MEAN_WAIT_MS);
      if (random.chance(DECIDED_PART))
        scheduler.after(
          wait,
          () => void decide(requestId).finally(() => looking.delete(requestId)),
        );
    },
  };
}

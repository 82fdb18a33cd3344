/** Other shops of the same partner, whose orders and payouts the service keeps in the same book. */
import type { Actor } from './actor.js';

const MEAN_PAUSE_MS = 3 * 60_000;

export const foreignShops: Actor = async ({ chance, isCalm, plan, scheduler, service }) => {
  if (!plan.foreignOrders) return;
  const random = chance('foreign shops');
  while (!isCalm()) {
    service.addForeign();
    await scheduler.sleep(random.wait(MEAN_PAUSE_MS));
  }
};

/** Each shop's backend reads what it missed from time to time, and has events sent again. */
import type { Shop, World } from '../world.js';
import type { Actor } from './actor.js';

const MEAN_PAUSE_MS = 6 * 60_000;
const RESEND_PART = 0.3;

export const backends: Actor = async (world) => {
  await Promise.all([...world.shops.values()].map((shop) => runBackend(world, shop)));
};

async function runBackend(
  { chance, isCalm, scheduler }: World,
  { backend, setup }: Shop,
): Promise<void> {
  const random = chance('reconciling', setup.name);
  while (!isCalm()) {
    await scheduler.sleep(random.wait(MEAN_PAUSE_MS));
    await backend.reconcile();
    if (random.chance(RESEND_PART)) await backend.resend();
  }
}

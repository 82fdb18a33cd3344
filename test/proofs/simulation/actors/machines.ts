/**
 * Checkpoints every ledger's write-ahead log now and then, and runs the faults that the plan names:
 * those of machines and those of shops' databases.
 */
import { faults } from '../faults/faults.js';
import type { FaultPlan } from '../plan.js';
import type { World } from '../world.js';
import type { Actor } from './actor.js';
import { comeBack } from './customers.js';

const CHECKPOINT_EVERY_MS = 10 * 60_000;

export const machines: Actor = async (world) => {
  const { isCalm, plan, scheduler, shops } = world;
  const happening = plan.faults.map((fault) => happen(world, fault));
  while (!isCalm()) {
    await scheduler.sleep(CHECKPOINT_EVERY_MS);
    for (const { deployment } of shops.values()) deployment.file.checkpoint();
  }
  await Promise.all(happening);
};

async function happen(world: World, faultPlan: FaultPlan): Promise<void> {
  const { checker, disturbances, history, scheduler, service, shops } = world;
  await scheduler.sleep(faultPlan.at);
  const shop = shops.get(faultPlan.shop);
  if (!shop) return;
  const { kind } = faultPlan;
  const from = scheduler.now();
  history.write(faultPlan.shop, `${kind} begins for ${faultPlan.lastsMs} ms`);
  world.noteActivity();
  const { backend, books, deployment } = shop;
  const scene = { ...world, deployment, book: service.book, books };
  checker.known.touchAll(faultPlan.shop, kind, from);
  const fault = faults[kind];
  // delays are excused until `recoveryMs` after the fault. A fault whose `recoveryMs` is null
  // excuses no delay, because the relays do not notice it
  const excuse = fault.recoveryMs === null ? null : disturbances.begin(faultPlan.shop, from);
  await fault.happen(
    {
      ...scene,
      databaseClock: world.plan.databaseClock,
      callBack: (requestIds) => {
        comeBack(world, faultPlan.shop, requestIds);
        // the guide tells shops to repeat the closes since the backup, because a restored ledger
        // lacks them
        void backend.closeAgain();
      },
    },
    faultPlan,
  );
  excuse?.end(scheduler.now() + (fault.recoveryMs ?? 0));
  // a second time, because the fault also touched purchases that began during it
  checker.known.touchAll(faultPlan.shop, kind, from);
  history.write(faultPlan.shop, `${kind} ends`);
  world.noteActivity();
}

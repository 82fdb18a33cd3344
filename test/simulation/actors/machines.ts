/** What happens to the machines: backups of the log, and the faults that the plan names. */
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

async function happen(world: World, plan: FaultPlan): Promise<void> {
  const { checker, disturbances, history, scheduler, service, shops } = world;
  await scheduler.sleep(plan.at);
  const shop = shops.get(plan.shop);
  if (!shop) return;
  const { kind } = plan;
  const from = scheduler.now();
  history.write(plan.shop, `${kind} begins for ${plan.lastsMs} ms`);
  world.noteActivity();
  const { backend, books, deployment } = shop;
  const scene = { ...world, deployment, book: service.book, books };
  checker.known.touchAll(plan.shop, kind, from);
  // as long as the fault goes on, nobody may blame the relays
  const fault = faults[kind];
  const excuse = fault.recoveryMs === null ? null : disturbances.begin(plan.shop, from);
  await fault.happen(
    {
      ...scene,
      databaseClock: world.plan.databaseClock,
      callBack: (requestIds) => {
        comeBack(world, plan.shop, requestIds);
        void backend.closeAgain();
      },
    },
    plan,
  );
  excuse?.end(scheduler.now() + (fault.recoveryMs ?? 0));
  checker.known.touchAll(plan.shop, kind, from);
  history.write(plan.shop, `${kind} ends`);
  world.noteActivity();
}

/** A shop's relays on one ledger, with the hosts they run on. */
import type { Fetch } from '../../../../relay/runtime.js';
import type { Chance, Random } from '../chance.js';
import type { History } from '../history.js';
import type { WorldPlan } from '../plan.js';
import type { Scheduler } from '../time/scheduler.js';
import type { Disk } from './connections.js';
import { createDiskFile } from './disk-file.js';
import type { Gate } from './gate.js';
import type { LedgerFile } from './ledger-file.js';
import type { LineDeps } from './line.js';
import { createMemoryFile } from './memory-file.js';
import { startProcess, type RelayProcess } from './relay-process.js';
import type { ShopSetup } from './shop-config.js';

/**
 * The result of a request to a relay, with the gate of the process that answered; `lost`: no answer
 * came, and the relay may have acted.
 */
export type Reached = { status: number; body: unknown; gate: Gate } | 'refused' | 'lost';

export type Deployment = {
  readonly shop: string;
  readonly file: LedgerFile;
  readonly disk: Disk;
  readonly network: LineDeps['network'];
  /** Host clocks minus true time, by relay; one for all relays without a database clock. */
  readonly wallShifts: number[];
  databaseShift: number;
  /** Orders that any restore so far has lost. */
  readonly everLost: Set<string>;
  /** Sends a request to a relay that the load balancer picks. */
  ask(request: Request, random: Random): Promise<Reached>;
  /** How many operators replace the ledger now. No relay is started while this is above 0. */
  holds: number;
  /** Starts every relay that does not run. */
  startAll(restored?: boolean): void;
  /** Kills one relay, or all. */
  kill(relay?: number): void;
  /** Ends all relays, and loses what their ledger has not synced. */
  powerCut(): void;
  process(relay: number): RelayProcess | undefined;
  /** The first relay that runs. */
  anyRunning(): RelayProcess | undefined;
  /** How many relays serve. */
  running(): number;
};

export type DeploymentDeps = {
  plan: WorldPlan;
  setup: ShopSetup;
  scheduler: Scheduler;
  history: History;
  chance: Chance;
  line: Omit<LineDeps, 'shop' | 'network'>;
  shopFetch: Fetch;
  tickMs: () => number;
};

const MEAN_NETWORK_MS = 8;

const hasPowerCuts = ({ faults }: WorldPlan): boolean =>
  faults.some(({ kind }) => kind === 'power_cut');

export function createDeployment(deps: DeploymentDeps): Deployment {
  const { chance, history, plan, scheduler, setup } = deps;
  const shop = setup.name;
  const file = hasPowerCuts(plan) ? createDiskFile() : createMemoryFile(shop);
  const disk: Disk = { full: false, gone: false };
  const network: LineDeps['network'] = { outage: 'none' };
  const wallShifts = Array.from({ length: plan.relays }, () => 0);
  const processes: (RelayProcess | undefined)[] = wallShifts.map(() => undefined);
  /** Relays that must still start with `--restored`, because no such start has succeeded yet. */
  const owesRestored = new Set<number>();
  let starts = 0;

  const startOne = (relay: number): void => {
    processes[relay] = startProcess(
      {
        name: `${shop}-${relay + 1}`,
        config: setup.config,
        scheduler,
        history,
        random: chance('process', shop, relay, ++starts),
        file,
        disk,
        line: { ...deps.line, shop, network },
        wallShift: () => wallShifts[plan.databaseClock ? relay : 0] ?? 0,
        databaseShift: plan.databaseClock ? () => deployment.databaseShift : null,
        shopFetch: deps.shopFetch,
        tickMs: deps.tickMs,
        slowPart: plan.slowPart,
        onStarted: () => owesRestored.delete(relay),
      },
      owesRestored.has(relay),
    );
  };
  const serving = (): RelayProcess[] =>
    processes.flatMap((process) => (process?.relay() ? [process] : []));

  const deployment: Deployment = {
    shop,
    file,
    disk,
    network,
    wallShifts,
    databaseShift: 0,
    everLost: new Set(),
    holds: 0,
    ask: async (request, random) => {
      await scheduler.sleep(random.wait(MEAN_NETWORK_MS));
      const candidates = serving();
      const process = candidates[random.whole(candidates.length)];
      if (!process) return 'refused';
      const held = process.gate.pass();
      // a process that dies while it is frozen never takes the request
      if (held && (await diesFirst(process, held))) return 'lost';
      const relay = process.relay();
      if (!relay) return 'refused';
      const answer = await beforeDeath(process, relay.fetch(request));
      if (answer === 'dead') return 'lost';
      const body: unknown = await answer.json().catch(() => null);
      await scheduler.sleep(random.wait(MEAN_NETWORK_MS));
      return { status: answer.status, body, gate: process.gate };
    },
    startAll: (restored = false) => {
      processes.forEach((process, relay) => {
        if (restored) owesRestored.add(relay);
        const mayStart = deployment.holds === 0;
        if (mayStart && (!process || process.gate.isDead)) startOne(relay);
      });
    },
    kill: (relay) => {
      processes.forEach((process, index) => {
        if (relay === undefined || relay === index) process?.kill();
      });
    },
    powerCut: () => {
      // the file is copied before any connection is closed, because closing the last one syncs it
      for (const process of processes) process?.gate.kill();
      file.powerCut();
      for (const process of processes) process?.kill();
    },
    process: (relay) => processes[relay],
    anyRunning: () => serving()[0],
    running: () => serving().filter(({ gate }) => !gate.isFrozen).length,
  };
  return deployment;
}

/** The result of `work`, or 'dead' when the process dies first. */
function beforeDeath<T>({ gate }: RelayProcess, work: Promise<T>): Promise<T | 'dead'> {
  return new Promise((resolve, reject) => {
    const forget = gate.onDeath(() => resolve('dead'));
    work.then(resolve, reject).finally(forget);
  });
}

const diesFirst = async (process: RelayProcess, held: Promise<void>): Promise<boolean> =>
  (await beforeDeath(process, held)) === 'dead';

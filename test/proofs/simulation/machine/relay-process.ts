/** One run of a relay process, from its start to its death: the real relay on a simulated host. */
import { createRelay, type Relay } from '../../../../relay/app.js';
import { bindLedger } from '../../../../relay/bind-ledger.js';
import type { Config } from '../../../../relay/config/schema.js';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import {
  openSqlite,
  sqliteEngine,
  type SqliteConnections,
} from '../../../../relay/ledger/sqlite/sqlite-ledger.js';
import { completeClock, type Clock, type Fetch } from '../../../../relay/runtime.js';
import type { Random } from '../chance.js';
import type { History } from '../history.js';
import type { Scheduler } from '../time/scheduler.js';
import { EPOCH } from '../time/virtual-globals.js';
import { openConnections, type Disk } from './connections.js';
import { createGate, type Gate } from './gate.js';
import { gatedEngine } from './gated-engine.js';
import type { LedgerFile } from './ledger-file.js';
import { createLine, type LineDeps } from './line.js';

export type ProcessDeps = {
  name: string;
  config: Config;
  scheduler: Scheduler;
  history: History;
  random: Random;
  file: LedgerFile;
  disk: Disk;
  line: LineDeps;
  /** How far this host's wall clock is from true time, at this moment. */
  wallShift: () => number;
  /** How far the database's clock is from true time; null: the ledger runs on the host's clock. */
  databaseShift: (() => number) | null;
  /** Carries events to the shop's backend. */
  shopFetch: Fetch;
  /** The pause between two ticks at this moment. */
  tickMs: () => number;
  slowPart: number;
  /** Called when the relay has started to serve. */
  onStarted: () => void;
};

export type RelayProcess = {
  readonly gate: Gate;
  /** Null until the relay has started. */
  relay(): Relay | null;
  ledger(): Ledger | null;
  clock: Clock;
  kill(): void;
};

/** Starts a process; it serves as soon as its ledger is open. */
export function startProcess(deps: ProcessDeps, restored: boolean): RelayProcess {
  const { config, file, history, name, random, scheduler } = deps;
  const gate = createGate();
  const state: { connections?: SqliteConnections | undefined; ledger?: Ledger; relay?: Relay } = {};
  const clock = hostClock(deps, gate);

  const start = async (): Promise<void> => {
    state.connections = await openConnections(file, deps.disk);
    const latency = { scheduler, gate, random, slowPart: deps.slowPart };
    const { databaseShift } = deps;
    const now = databaseShift && (() => EPOCH + scheduler.now() + databaseShift());
    const ledger = await openSqlite(gatedEngine(sqliteEngine(state.connections), latency, now));
    state.ledger = ledger;
    await bindLedger(config, ledger, { clock, restored });
    state.relay = createRelay({
      config,
      ledger,
      clock,
      send: createLine(deps.line, gate),
      fetch: gatedFetch(deps.shopFetch, gate),
      instance: name,
    });
    history.write(name, restored ? 'has started with --restored' : 'has started');
    deps.onStarted();
    tick(state.relay);
  };
  const tick = (relay: Relay): void => {
    if (gate.isDead) return;
    if (!gate.isFrozen) void relay.tick();
    scheduler.after(deps.tickMs(), () => tick(relay));
  };
  const kill = (): void => {
    gate.kill();
    for (const each of Object.values(state.connections ?? {})) each.close();
    state.connections = undefined;
  };
  start().catch((error: unknown) => {
    // a process that cannot open its ledger ends; its supervisor starts it again
    history.write(name, `cannot start: ${error instanceof Error ? error.message : 'unknown'}`);
    kill();
  });
  return {
    gate,
    clock,
    relay: () => (gate.isDead ? null : (state.relay ?? null)),
    ledger: () => (gate.isDead ? null : (state.ledger ?? null)),
    kill,
  };
}

function hostClock({ scheduler, wallShift }: ProcessDeps, gate: Gate): Clock {
  return completeClock({
    now: () => EPOCH + scheduler.now() + wallShift(),
    elapsed: scheduler.now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = (): void => {
          cancel();
          signal?.removeEventListener('abort', done);
          const held = gate.pass();
          if (held) void held.then(resolve);
          else resolve();
        };
        const cancel = scheduler.after(ms, done);
        signal?.addEventListener('abort', done, { once: true });
      }),
  });
}

/** A fetch whose requests and answers wait while the process is frozen. */
const gatedFetch =
  (fetch: Fetch, gate: Gate): Fetch =>
  async (url, init) => {
    const before = gate.pass();
    if (before) await before;
    const response = await fetch(url, init);
    const after = gate.pass();
    if (after) await after;
    return response;
  };

/** The relay on Node, with its connection pool, ledger, limits, metrics and timer. */
import { hostname } from 'node:os';
import type { HttpBindings } from '@hono/node-server';
import { createRelay, type Relay } from './app.js';
import { bindLedger, requireCopy } from './bind-ledger.js';
import { otherPort } from './config/direct-port.js';
import { warningsAtStart } from './config/findings.js';
import { ConfigError } from './config/parse-config.js';
import type { Config } from './config/schema.js';
import { noAccess } from './console/operator-keys.js';
import { operatorPages } from './console/operator.js';
import { logDamage } from './ledger/damage.js';
import type { Ledger } from './ledger/ledger.js';
import { createBusy, nodeClock } from './node/process.js';
import { httpClients, noClients } from './node/http-clients.js';
import { addressOf, memoryLimiter } from './node/limits.js';
import {
  DRAIN_WITHIN_MS,
  listenOn,
  MAX_PER_ADDRESS,
  onClose,
  type ListenerBindings,
  type Listening,
} from './node/listener.js';
import { loadAssets, rendererBeside } from './node/load-assets.js';
import { flushLog, log as jsonLog } from './node/log.js';
import { withKeptBuilds } from './node/kept-builds.js';
import { createMetrics } from './node/metrics.js';
import { lowFileLimit } from './node/open-files.js';
import { openLedger } from './node/open-ledger.js';
import { postgresHints } from './node/postgres-hints.js';
import { needsRestart } from './node/reload-config.js';
import { whyUnreachable } from './node/try-service.js';
import type { PoolOptions } from './order-service/send/pool-send.js';
import { noHints, type Log } from './runtime.js';

export { poolSend } from './order-service/send/pool-send.js';
export { flushLog, jsonLog };

const TICK_MS = 500;
/**
 * The least time that a stopping relay gives to requests whose customer has disconnected: the
 * answer to their pay must not be lost.
 */
const MIN_LAST_WAIT_MS = 1000;

const EARLY_END =
  'the service closed a connection that rested; for an hour none rests for longer than idle_ms';

/** The address of a connection, from a listener that is not Node's. */
export type Peer = { peer: string };

export type NodeRelay = Relay & {
  /** Finds the customer's address, then answers a request of a listener. */
  serve(request: Request, from: ListenerBindings | HttpBindings | Peer): Promise<Response>;
  /** The pages of the operator's listener; null without `operator`. */
  operator: ((request: Request, bindings: HttpBindings) => Promise<Response>) | null;
  /** Limit of connections from one address; absent behind a proxy, which is one address. */
  maxPerAddress?: number;
  /**
   * Takes another configuration; requests and orders under way go on.
   *
   * @throws ConfigError naming each field whose change needs a restart, or Error when the ledger
   *   does not belong to the configuration; the former configuration then stays
   */
  reload(config: Config): Promise<void>;
  /** Logs a warning when no connection to the order service can be made; never rejects. */
  tryService(): Promise<void>;
};

type Options = {
  /** The built script of the element. */
  script: URL;
  log?: Log | undefined;
  /**
   * The port that the relay will listen on. Host name and port are the relay's name in the ledger,
   * so that the name stays the same after a restart. Absent or 0: a random name.
   */
  port?: number | undefined;
  /** The ledger was restored from a backup; requires service.not_found_codes. */
  restored?: boolean | undefined;
  /** The ledger is a copy that is only read: nothing is sent to the service or to the shop. */
  notRestored?: boolean | undefined;
  /** Used in place of the configured ledger. */
  ledger?: Ledger | undefined;
  /** Whether the given ledger stays open when the relay closes. */
  keepsLedger?: boolean | undefined;
  /** Whether the timer keeps the process alive; false inside another server. */
  holdsProcess?: boolean | undefined;
};

/** Builds a relay on Node and starts its timer; it does not listen yet. */
export async function nodeRelay(config: Config, options: Options): Promise<NodeRelay> {
  const { keepsLedger = false, ledger: givenLedger, log = jsonLog, restored } = options;
  const ledger =
    givenLedger ??
    (await openLedger(config.ledger, {
      onError: (error) => log('error', 'ledger', { error: error.message }),
      onDamage: logDamage(log),
      ...(restored !== undefined && { restored }),
    }));
  try {
    return await relayOn(ledger, config, options);
  } catch (error) {
    // a caller that tries again must not gather open connections
    if (!keepsLedger) await ledger.close();
    throw error;
  }
}

async function relayOn(
  ledger: Ledger,
  startConfig: Config,
  {
    holdsProcess = true,
    keepsLedger = false,
    log = jsonLog,
    notRestored = false,
    port = 0,
    restored = false,
    script,
  }: Options,
): Promise<NodeRelay> {
  let config = startConfig;
  const { base_url, idle_ms } = config.service;
  const headers = (): Record<string, string> =>
    Object.fromEntries(
      Object.entries(config.service.headers).map(([name, secret]) => [name, secret.reveal()]),
    );
  const metricsPage = createMetrics();
  const beginSeries = (): void => metricsPage.begin(config.options.map(({ id }) => id));
  beginSeries();
  const onEarlyEnd: PoolOptions['onEarlyEnd'] = ({ lost, shortenedToMs }) => {
    metricsPage.metrics.add('service_early_ends', 1, { request: lost ? 'lost' : 'none' });
    if (shortenedToMs !== undefined)
      log(lost ? 'warn' : 'info', 'connection', {
        message: EARLY_END,
        idle_ms: Math.round(shortenedToMs),
      });
  };
  const clients = notRestored
    ? noClients
    : httpClients({ baseUrl: base_url, headers, idleMs: idle_ms, onEarlyEnd });
  if (notRestored) await requireCopy(ledger, log);
  await bindLedger(config, ledger, { clock: nodeClock, log, restored, readsOnly: notRestored });
  const warnOfConfig = (): void => {
    const fewFiles = lowFileLimit(config.service.connections);
    for (const message of [
      ...otherPort(config.public_url, port),
      ...warningsAtStart(config),
      ...(fewFiles === null ? [] : [fewFiles]),
    ])
      log('warn', 'config', { message });
  };
  warnOfConfig();
  const assets = loadAssets(script, log);
  const hints = config.ledger_hints ? postgresHints(config.ledger_hints.reveal(), log) : noHints;
  const relay = createRelay({
    config,
    clock: nodeClock,
    ledger,
    log,
    send: clients.send,
    fetch: clients.fetch,
    assets: await withKeptBuilds(assets, ledger, log),
    loadRender: rendererBeside(script, assets),
    limiter: memoryLimiter(() => config.limits),
    metrics: metricsPage.metrics,
    busy: createBusy(),
    hints,
    ...(port === 0 ? {} : { instance: `${hostname()}:${port}` }),
  });
  let warned = false;
  const warnOfProxy = (): void => {
    if (!warned)
      log('warn', 'config', {
        message:
          'requests come through a proxy, and limits.trusted_hops is 0: ' +
          'the addresses of the customers are unknown',
      });
    warned = true;
  };
  let closing = false;
  const tryService = async (): Promise<void> => {
    const cause = await whyUnreachable(base_url);
    if (cause === null || closing || notRestored) return;
    const { origin } = new URL(base_url);
    log('warn', 'config', { message: `service.base_url: ${origin} cannot be reached: ${cause}` });
  };
  // nothing is done between requests, and /readyz answers 503: no customer may be sent to a clone
  if (notRestored) relay.drain();
  const operator =
    startConfig.operator &&
    operatorPages({
      relay,
      metrics: metricsPage,
      ledger,
      // a reload changes neither the port nor whether there is one
      access: () => config.operator ?? noAccess,
      folder: new URL('console/', script),
      log,
    });
  const timer = setInterval(() => void relay.tick(), TICK_MS);
  if (!holdsProcess) timer.unref();
  return {
    ...relay,
    serve: (request, from) =>
      relay.fetch(request, {
        ...addressOf(config, request, addressIn(from), warnOfProxy),
        ...('peer' in from ? {} : { onGone: (work) => onClose(from.outgoing, work) }),
        ...('sendJson' in from && { sendJson: from.sendJson, letGo: from.letGo }),
      }),
    operator: operator ? (request, { incoming }) => operator(request, incoming.socket) : null,
    ...(config.limits.trusted_hops === 0 && { maxPerAddress: MAX_PER_ADDRESS }),
    tryService,
    reload: async (changed) => {
      const findings = needsRestart(config, changed);
      if (findings.length > 0) throw new ConfigError(findings);
      await bindLedger(changed, ledger, { clock: nodeClock, log, readsOnly: notRestored });
      await relay.reload(changed);
      config = changed;
      beginSeries();
      warnOfConfig();
    },
    close: async (withinMs) => {
      closing = true;
      clearInterval(timer);
      await relay.close(withinMs);
      await Promise.all([clients.close(), hints.close()]);
      if (!keepsLedger) await ledger.close();
    },
  };
}

const addressIn = (from: HttpBindings | Peer): string =>
  'peer' in from ? from.peer : (from.incoming.socket.remoteAddress ?? '');

/**
 * Listens for the shop, and on another port for the operator. Its `close` waits for requests under
 * way.
 *
 * @param host the address of both listeners; by default only this machine reaches them
 */
export async function listen(
  relay: NodeRelay,
  port: number,
  operatorPort?: number,
  host?: string,
): Promise<Listening & { operatorPort: number | null }> {
  const { maxPerAddress } = relay;
  const shop = await listenOn(relay.serve, { port, host, maxPerAddress }, relay.drain);
  const operator =
    relay.operator && operatorPort !== undefined
      ? await listenOn(relay.operator, { port: operatorPort, host })
      : null;
  // in the background: the relay answers customers whether the service can be reached or not
  void relay.tryService();
  return {
    port: shop.port,
    operatorPort: operator?.port ?? null,
    close: async () => {
      const began = performance.now();
      await Promise.all([shop.close(), operator?.close()]);
      // the listeners and the relay share one bound: a supervisor kills a process that exceeds it
      await relay.close(Math.max(MIN_LAST_WAIT_MS, DRAIN_WITHIN_MS - (performance.now() - began)));
    },
  };
}

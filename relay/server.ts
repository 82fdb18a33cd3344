/** The relay on Node: pool, ledger, limits, figures and the clock that ticks it. */
import { hostname } from 'node:os';
import type { HttpBindings } from '@hono/node-server';
import { createRelay, type Relay } from './app.js';
import { bindLedger } from './bind-ledger.js';
import type { Config } from './config/schema.js';
import { nodeClock } from './node/clock.js';
import { addressOf, memoryLimiter } from './node/limits.js';
import { DRAIN_WITHIN_MS, listenOn, type Listening } from './node/listener.js';
import { loadAssets } from './node/load-assets.js';
import { droppedLogLines, flushLog, log as jsonLog } from './node/log.js';
import { createMetrics } from './node/metrics.js';
import { lowFileLimit } from './node/open-files.js';
import { openLedger } from './node/open-ledger.js';
import { operatorPages } from './node/operator.js';
import { poolSend } from './order-service/send/pool-send.js';
import type { Log } from './runtime.js';

export { flushLog, jsonLog };

const TICK_MS = 500;
/** What requests without a connection are given in any case when the relay stops. */
const LAST_WAIT_MS = 1000;

export type NodeRelay = Relay & {
  /** As fetch, for a listener of Node: finds the customer's address. */
  serve(request: Request, bindings: HttpBindings): Promise<Response>;
  /** The pages of the operator's listener; null without `operator`. */
  operator: ((request: Request, bindings: HttpBindings) => Promise<Response>) | null;
};

type Options = {
  /** The built element. */
  script: URL;
  log?: Log;
  /**
   * The port that it will listen on, so that a relay that comes back is known as the one it was.
   */
  port?: number;
  /** The ledger was restored from a backup; needs service.not_found_codes. */
  restored?: boolean;
};

/** A relay with everything that Node gives it, ticking; not yet listening. */
export async function nodeRelay(
  config: Config,
  { log = jsonLog, port = 0, restored = false, script }: Options,
): Promise<NodeRelay> {
  const { base_url, connections, headers } = config.service;
  const revealed = Object.fromEntries(
    Object.entries(headers).map(([name, secret]) => [name, secret.reveal()]),
  );
  // the relay signs each request itself, before it claims the order
  const pool = poolSend({ baseUrl: base_url, headers: revealed, connections });
  const ledger = await openLedger(config.ledger, (error) =>
    log('error', 'ledger', { error: error.message }),
  );
  await bindLedger(config, ledger, { clock: nodeClock, log, restored });
  if (!config.links.hosts)
    log('warn', 'config', { message: 'links.hosts is absent: links to any https host are shown' });
  const fewFiles = lowFileLimit(connections);
  if (fewFiles !== null) log('warn', 'config', { message: fewFiles });
  const figures = createMetrics(
    config.options.map(({ id }) => id),
    droppedLogLines,
  );
  const relay = createRelay({
    config,
    clock: nodeClock,
    ledger,
    log,
    send: pool.send,
    assets: await loadAssets(script, log),
    limiter: memoryLimiter(config),
    metrics: figures.metrics,
    ...(port === 0 ? {} : { instance: `${hostname()}:${port}` }),
  });
  let warned = false;
  const warnOfProxy = (): void => {
    if (!warned)
      log('warn', 'config', {
        message:
          'requests come through a proxy, and limits.trusted_hops is 0: customers are not told apart',
      });
    warned = true;
  };
  const operator = config.operator ? operatorPages(relay, figures, config.operator.key) : null;
  const timer = setInterval(() => void relay.tick(), TICK_MS);
  return {
    ...relay,
    serve: (request, bindings) =>
      relay.fetch(request, addressOf(config, request, bindings, warnOfProxy)),
    operator: operator && ((request, { incoming }) => operator(request, incoming.socket)),
    close: async (withinMs) => {
      clearInterval(timer);
      await relay.close(withinMs);
      await pool.close();
      await ledger.close();
    },
  };
}

/**
 * Listens, and for the operator on a port of its own; closing lets requests under way end first.
 *
 * @param host for both; without one only this machine reaches them
 */
export async function listen(
  relay: NodeRelay,
  port: number,
  operatorPort?: number,
  host?: string,
): Promise<Listening & { operatorPort: number | null }> {
  const shop = await listenOn(relay.serve, { port, host }, relay.drain);
  const operator =
    relay.operator && operatorPort !== undefined
      ? await listenOn(relay.operator, { port: operatorPort, host })
      : null;
  return {
    port: shop.port,
    operatorPort: operator?.port ?? null,
    close: async () => {
      const began = performance.now();
      await shop.close();
      await operator?.close();
      // both waits share one bound, or a supervisor would end the process in between
      await relay.close(Math.max(LAST_WAIT_MS, DRAIN_WITHIN_MS - (performance.now() - began)));
    },
  };
}

/**
 * A relay inside another server. It opens its ledger at the first request, because a framework
 * also loads the shop's modules during a build, where there are no secrets and no database.
 */
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { parseConfig } from '../config/parse-config.js';
import type { Config, ConfigFile } from '../config/schema.js';
import { clientAddress } from '../http/client-address.js';
import { newReference } from '../http/request-log.js';
import { logDamage } from '../ledger/damage.js';
import type { Ledger } from '../ledger/ledger.js';
import { elementScript } from '../node/element-script.js';
import { messageOf } from '../node/message-of.js';
import { openLedger } from '../node/open-ledger.js';
import { readConfigFile, secretsBeside } from '../node/read-config-file.js';
import { remember } from '../remember.js';
import { jsonLog, nodeRelay, type NodeRelay, type Peer } from '../server.js';

export type MountOptions = {
  /** The path of the configuration file, or the configuration itself. */
  config: string | ConfigFile;
  /** Replaces the configured ledger: a ledger's name, or an open ledger that the caller closes. */
  ledger?: Ledger | string | undefined;
};

export type MountedRelay = {
  /**
   * Opens the relay before the first request, so that it follows open orders after a restart. Never
   * rejects: when the relay cannot start, the log says why, and the next request tries again.
   */
  start(): Promise<void>;
  /** Answers a request whose path is relative to the mount, such as `/v1/pay`. */
  serve(request: Request, from: HttpBindings | Peer | Forwarded): Promise<Response>;
  /**
   * Answers long polls at once, and lets each connection end with its answer: the server could not
   * close before them.
   */
  drain(): Promise<void>;
  /** Drains, waits for requests under way, and closes the ledger. */
  close(): Promise<void>;
};

/** The connection is not known, so the customer's address comes from X-Forwarded-For. */
export type Forwarded = 'forwarded';

type Opened = { relay: NodeRelay; config: Config };

/**
 * Pause after a relay could not be opened. Anybody can send requests, and each try may open
 * connections to the shop's database and writes a line to the log.
 */
const RETRY_PAUSE_MS = 2000;

export function mountRelay(options: MountOptions): MountedRelay {
  let draining = false;
  let closed = false;
  let opened: Promise<Opened> | null = null;
  let failedAt = -Infinity;
  let reference = newReference();
  const fail = (error: unknown): never => {
    failedAt = performance.now();
    reference = newReference();
    jsonLog('error', 'config', { reference, message: messageOf(error) });
    throw error;
  };
  const openOnce = remember(() => open(options).catch(fail));
  const opening = async (): Promise<Opened> => {
    if (closed) return fail(new Error('the relay is closed'));
    return (opened = openOnce());
  };
  const openRelay = async (): Promise<NodeRelay | undefined> =>
    (await opened?.catch(() => null))?.relay;
  const answer: MountedRelay['serve'] = async (request, from) => {
    const hasJustFailed = performance.now() - failedAt < RETRY_PAUSE_MS;
    const ready = hasJustFailed ? null : await opening().catch(() => null);
    if (!ready) return notStarted(reference);
    const { config, relay } = ready;
    return from === 'forwarded'
      ? relay.fetch(request, forwardedAddress(config, request))
      : relay.serve(request, from);
  };
  return {
    start: () => opening().then(ignore, ignore),
    serve: async (request, from) => {
      const response = await answer(request, from);
      if (draining && typeof from === 'object' && 'outgoing' in from)
        from.outgoing.shouldKeepAlive = false;
      return response;
    },
    drain: async () => {
      draining = true;
      (await openRelay())?.drain();
    },
    close: async () => {
      draining = true;
      closed = true;
      await (await openRelay())?.close();
    },
  };
}

/** Serves a relay to a framework that passes on the requests and responses of Node.js. */
export const nodeListener = ({ serve }: MountedRelay): ReturnType<typeof getRequestListener> =>
  getRequestListener((request, bindings) => serve(request, bindings as HttpBindings), {
    overrideGlobalObjects: false,
  });

async function open({ config: source, ledger: givenLedger }: MountOptions): Promise<Opened> {
  const config =
    typeof source === 'string'
      ? await readConfigFile(source)
      : parseConfig(source, secretsBeside(process.cwd()));
  const ledger =
    typeof givenLedger === 'string'
      ? await openLedger(givenLedger, { onDamage: logDamage(jsonLog) })
      : givenLedger;
  const relay = await nodeRelay(config, {
    script: elementScript(),
    holdsProcess: false,
    ...(ledger && { ledger, keepsLedger: typeof givenLedger !== 'string' }),
  });
  return { relay, config };
}

const ignore = (): void => {};

/**
 * The shop's developer finds the cause in the log by the reference; a page must not read it. An
 * answer without a reference would be none of the relay, and the customer would read that there is
 * no connection.
 */
const notStarted = (reference: string): Response =>
  Response.json(
    {
      error: { code: 'internal', message: 'the relay did not start; its log says why', reference },
    },
    { status: 500, headers: { 'cache-control': 'no-store', 'x-reference': reference } },
  );

/**
 * The last entry stands for the address of the connection: the nearest proxy wrote it, or the
 * framework's server where there is no proxy.
 */
function forwardedAddress({ limits }: Config, request: Request): { address?: string } {
  const hops = request.headers.get('x-forwarded-for');
  if (hops === null) return {};
  const entries = hops.split(',');
  const last = entries.pop()?.trim() ?? '';
  const rest = entries.length > 0 ? entries.join(',') : null;
  return { address: clientAddress(last, rest, Math.max(0, limits.trusted_hops - 1)) };
}

/**
 * What answers on the operator's own port: `/metrics` for a program with a key, and the console for
 * a person. Neither answers on the public port.
 */
import type { Relay } from '../app.js';
import { clientAddress } from '../http/client-address.js';
import type { MetricsPage } from '../node/metrics.js';
import { nodeClock } from '../node/process.js';
import type { Log } from '../runtime.js';
import { createAccess } from './access.js';
import type { AccessLedger } from './access-acts.js';
import { consoleScript } from './console-page.js';
import { createConsole } from './console.js';
import { createOperatorKeys, type Access } from './operator-keys.js';
import { createSessions } from './sessions.js';
import { createWebAuthn, type LoadWebAuthn } from './web-authn.js';

type OperatorOptions = {
  readonly relay: Pick<Relay, 'gauges' | 'state' | 'verbDeps'>;
  readonly metrics: Pick<MetricsPage, 'page' | 'type' | 'upstream'>;
  /** Keeps who has passkeys, for all its relays. */
  readonly ledger: AccessLedger;
  readonly access: () => Access;
  /** The folder of the console's built files. */
  readonly folder: URL;
  readonly log: Log;
  readonly elapsed?: () => number;
  readonly now?: () => number;
  readonly loadWebAuthn?: LoadWebAuthn;
};

type OperatorPages = (
  request: Request,
  peer: { remoteAddress?: string | undefined },
) => Promise<Response>;

/** `/metrics` takes `Authorization: Bearer <key>`, of any role. */
export function operatorPages({
  access,
  elapsed = nodeClock.elapsed,
  folder,
  ledger,
  loadWebAuthn,
  log,
  metrics,
  now = nodeClock.now,
  relay,
}: OperatorOptions): OperatorPages {
  const keys = createOperatorKeys(access, { elapsed, log });
  const webAuthn = createWebAuthn(loadWebAuthn);
  const showConsole = createConsole({
    relay,
    upstream: () => metrics.upstream(),
    access: createAccess({ access, elapsed, keys, ledger, log, now, webAuthn }),
    keys,
    sessions: createSessions(elapsed),
    hosts: () => access().hosts,
    script: consoleScript(folder),
    log,
  });
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  const refused = (status: 401 | 429, why: string, more: Record<string, string>): Response =>
    new Response(`${why}\n`, { status, headers: { ...headers, ...more } });

  return async (request, { remoteAddress = '' }) => {
    const address = clientAddress(remoteAddress, null, 0);
    const { pathname } = new URL(request.url);
    const shown = showConsole(request, pathname, address);
    if (shown) return shown;
    const key = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;
    const operator = keys.check(address, key);
    if (operator === 'too_many')
      return refused(429, 'too many wrong keys; ask again in a minute', { 'retry-after': '60' });
    if (operator === 'wrong')
      return refused(401, 'the operator key is missing or wrong', { 'www-authenticate': 'Bearer' });
    if (pathname !== '/metrics') return new Response('no such page\n', { status: 404, headers });
    const gauges = await relay.gauges().catch((error: unknown) => {
      log('error', 'metrics', { error: String(error) });
      return null;
    });
    return new Response(await metrics.page(gauges), {
      headers: { ...headers, 'content-type': metrics.type },
    });
  };
}

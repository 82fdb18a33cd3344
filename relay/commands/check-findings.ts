/** The findings of `check`: about the configuration, and about the addresses in it. */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { BACKUP_AT, isCopy, whyRefused } from '../bind-ledger.js';
import { findingsOf } from '../config/findings.js';
import { APP_ORIGIN } from '../config/web-addresses.js';
import type { Config } from '../config/schema.js';
import type { Secret } from '../config/secrets.js';
import { sqliteFileOf } from '../node/sqlite-file.js';
import { whyLedgerUnusable, whyNoHints } from '../node/try-ledger.js';
import { certificateDaysLeft, whyUnreachable as whyNoConnection } from '../node/try-service.js';
import { readSwitches, type OptionSwitch } from '../orders/option-switches.js';
import { isPaidOn } from '../qrcode/paid-asset.js';
import { ofQuery } from './check-query.js';
import { error, ok, warn, type Finding } from '../config/findings.js';

/** The relay refuses a token that was signed further in its future (intent/order-token.ts). */
const MAX_CLOCK_DIFFERENCE_S = 30;
const CALL_WITHIN_MS = 5000;
const MIN_CERTIFICATE_DAYS = 14;

export async function findings(
  config: Config,
  { isOffline }: { isOffline: boolean },
): Promise<Finding[]> {
  const configFindings = [...findingsOf(config), ...ofTokens(config)];
  if (isOffline) return configFindings;
  const callFindings = await Promise.all([
    ofService(config),
    ofLedger(config),
    ...(config.ledger_hints ? [ofHints(config.ledger, config.ledger_hints)] : []),
    ofRelay(config),
    ...config.shop.origins.map((origin) => ofOrigin(origin)),
    ...(config.shop_events ? [ofReceiver(config.shop_events.url, config.mode)] : []),
  ]);
  return [...configFindings, ...callFindings.flat()];
}

/** Names each token that is on another network than its option names: its codes are not shown. */
const ofTokens = ({ options }: Config): Finding[] =>
  options.flatMap(({ code: { token }, pay_currency = '' }, at) => {
    const [contract = '', chain = '1'] = token?.contract.split('@') ?? [];
    const network = contract.startsWith('0x') ? chain : 'solana';
    return !token || isPaidOn(pay_currency, network)
      ? []
      : [error(`options.${at}.code.token.contract`, `is not on the network of ${pay_currency}`)];
  });

/** Connects, compares the clocks, and reads the certificate. */
async function ofService(config: Config): Promise<Finding[]> {
  const { service } = config;
  const path = 'service.base_url';
  const { origin } = new URL(service.base_url);
  const cause = await whyUnreachable(service.base_url);
  if (cause !== null) return [error(path, `${origin} cannot be reached: ${cause}`)];
  return [
    ok(path, `${origin} can be reached`),
    ...(await ofCertificate(path, service.base_url)),
    ...(await ofClock(service.base_url)),
    await ofQuery(config),
  ];
}

async function ofCertificate(path: string, url: string): Promise<Finding[]> {
  const days = await certificateDaysLeft(url);
  if (days === null || days >= MIN_CERTIFICATE_DAYS) return [];
  return [warn(path, `its certificate ends in ${Math.max(0, Math.floor(days))} days; renew it`)];
}

/** Reads the service's time from the Date header, which any answer has, also a refusal. */
async function ofClock(url: string): Promise<Finding[]> {
  const response = await call(url);
  const date = Date.parse(response?.headers.get('date') ?? '');
  if (Number.isNaN(date)) return [];
  // some caches repeat the date of an old answer, and say how many seconds ago that was
  const age = ageMs(response?.headers.get('age') ?? '');
  const offMs = Math.min(Math.abs(Date.now() - date), Math.abs(Date.now() - date - age));
  const seconds = Math.round(offMs / 1000);
  if (seconds <= MAX_CLOCK_DIFFERENCE_S) return [ok('clock', `within ${seconds} s of the service`)];
  return [
    error(
      'clock',
      `${seconds} s off the service's. If the clock of this machine is wrong, set it: it makes ` +
        'the relay refuse valid order tokens',
    ),
  ];
}

/** Several caches may each add an age: the first counts, and is 0 if it is no number (RFC 9111). */
const ageMs = (header: string): number =>
  Number(/^\d+(?=\s*(?:,|$))/.exec(header)?.[0] ?? 0) * 1000;

/** Also compares the ledger with the configuration, as `start` does. */
async function ofLedger(config: Config): Promise<Finding[]> {
  let backupAt = '';
  let switches = readSwitches(new Map());
  const cause = await whyLedgerUnusable(config.ledger, (settings) => {
    backupAt = settings.get(BACKUP_AT) ?? '';
    switches = readSwitches(settings);
    return whyRefused(config, settings);
  });
  if (cause !== null) return [error('ledger', cause)];
  return [
    backupAt === '' ? ok('ledger', usable(config)) : warn('ledger', isCopy(backupAt)),
    ...ofSwitches(config, switches),
  ];
}

/** Names a file that is missing: a relative path may lead elsewhere than that of the relay. */
function usable({ ledger }: Config): string {
  const file = sqliteFileOf(ledger.reveal());
  return file === null || existsSync(file) ? 'can be used' : `${file} is new: start makes it`;
}

/** Only warns: without hints a relay reads the changes of the others a little later. */
async function ofHints(ledger: Secret, hints: Secret): Promise<Finding[]> {
  const path = 'ledger_hints';
  const isPostgres = /^postgres(ql)?:/.test(ledger.reveal());
  if (!isPostgres)
    return [warn(path, 'is of no use: only relays that share a PostgreSQL ledger send hints')];
  const cause = await whyNoHints(hints);
  return [cause === null ? ok(path, 'can be used') : warn(path, cause)];
}

function ofSwitches(
  { options }: Pick<Config, 'options'>,
  switches: ReadonlyMap<string, OptionSwitch>,
): Finding[] {
  return options.flatMap(({ id }) => {
    const last = switches.get(id);
    if (!last?.off) return [];
    const at = new Date(last.at).toISOString();
    return [
      warn(`options.${id}`, `switched off by ${last.by} at ${at}; "options on ${id}" ends it`),
    ];
  });
}

/** Only warns, because the relay need not run while its configuration is checked. */
async function ofRelay({ public_url }: Config): Promise<Finding[]> {
  const response = await call(`${public_url}/healthz`);
  const answer = await response?.text().catch(() => '');
  if (response?.status === 200 && answer?.includes('"ok"'))
    return [
      ok('public_url', 'a relay answers there; it has read its file at its start or at SIGHUP'),
      ...(await ofReadiness(public_url)),
      ...(await ofCertificate('public_url', public_url)),
    ];
  const seen = response ? `${response.status}` : 'no answer';
  return [
    warn(
      'public_url',
      `no relay answers at ${public_url}/healthz (${seen}); start it, and let your server pass ` +
        'this path on',
    ),
  ];
}

const READINESS = z.object({
  status: z.string(),
  ledger: z.string(),
  keys: z.string(),
  service: z.string(),
  lists: z.string().default('ok'),
});

/** What to do when a field of /readyz has another value than ok. */
const ADVICE: Readonly<Record<keyof typeof READINESS.shape, string>> = {
  status:
    'another line says why; if none does, the relay is stopping, or it runs with --not-restored',
  ledger: 'customers cannot pay: look at the disk or the database, and at the log of the relay',
  keys: 'customers cannot pay: the line "readyz" in the log of the relay says why',
  service:
    'customers cannot pay: the lines "pay", "query" and "breaker" in the log of the relay say why',
  lists: 'a transaction of the database holds back the lists: end it, /readyz names it',
};

/** A server in front of the relay may pass other paths on, and not this one. */
async function ofReadiness(publicUrl: string): Promise<Finding[]> {
  const response = await call(`${publicUrl}/readyz`);
  const read = READINESS.safeParse(await response?.json().catch(() => null));
  if (!read.success) return [];
  return READINESS.keyof()
    .options.filter((name) => read.data[name] !== 'ok')
    .map((name) => error(`public_url/readyz ${name}`, `${read.data[name]}; ${ADVICE[name]}`));
}

async function ofOrigin(origin: string): Promise<Finding[]> {
  if (APP_ORIGIN.test(origin)) return [ok('shop.origins', `${origin} is the origin of an app`)];
  const cause = await whyUnreachable(origin);
  if (cause === null) return [ok('shop.origins', `${origin} can be reached`)];
  return [warn('shop.origins', `${origin} cannot be reached from here: ${cause}`)];
}

async function ofReceiver(url: string, mode: Config['mode']): Promise<Finding[]> {
  const cause = await whyUnreachable(url);
  // with live keys `trigger` sends nothing
  const trial = mode === 'live' ? '' : '; `trigger order.succeeded` sends an event';
  if (cause === null) return [ok('shop_events.url', `can be reached${trial}`)];
  return [error('shop_events.url', `cannot be reached: ${cause}; the shop receives no events`)];
}

const PROXY_NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

/** Also names a proxy that is set, because other programs on the machine would use it. */
export async function whyUnreachable(url: string, env = process.env): Promise<string | null> {
  const cause = await whyNoConnection(url);
  const names = PROXY_NAMES.flatMap((name) => [name, name.toLowerCase()]);
  const proxy = names.find((name) => env[name]);
  if (cause === null || proxy === undefined) return cause;
  return `${cause}; ${proxy} is set, but the relay connects directly: allow this connection`;
}

const call = (url: string): Promise<Response | null> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(CALL_WITHIN_MS) }).catch(() => null);

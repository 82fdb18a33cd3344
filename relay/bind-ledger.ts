/** Checks that a ledger belongs to a configuration, before a relay starts with them. */
import { hex } from '@scure/base';
import type { Config } from './config/schema.js';
import { NO_REQUEST_ID_KEY } from './config/weak-secrets.js';
import { sha256Of } from './digest.js';
import { createIdentity, type Settings } from './intent/identity.js';
import { createLedgerClock } from './ledger/ledger-clock.js';
import { GENERATION, GenerationError, NOT_OURS } from './ledger/ledger-errors.js';
import type { Ledger } from './ledger/ledger.js';
import { RESUME_AFTER_EXPIRY_MS } from './pay-links/pay-link.js';
import { RESTORED_AT } from './orders/restored/restored-at.js';
import { systemClock, type Clock, type Log } from './runtime.js';

/** The setting of a copy that `ledger backup` made: its time; empty once it was restored. */
export const BACKUP_AT = 'backup_at';

/** The setting that names the ways by which the shop learns of changes. */
const READERS = 'readers';
const readersOf = (config: Config): string[] =>
  (['shop_events', 'secret_key'] as const).filter((name) => config[name] !== undefined);

/** The order of an object's fields has no meaning in a configuration. */
const inOneOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** The setting with a digest of what all relays of a ledger must read in the same way. */
const RULES = 'rules';
const rulesOf = (config: Config): string => {
  const { catalogue, deposits, open_amount, options } = config;
  const offer = [options, catalogue, open_amount, deposits];
  const rules = [config.statuses, readersOf(config), offer];
  return hex.encode(sha256Of(JSON.stringify(rules, inOneOrder)));
};

const NEW_LEDGER =
  'the ledger is new; if this shop had one before, stop the relay and put that one back; ' +
  'without it, its orders are placed again';
const NOT_A_BACKUP =
  'the ledger is new, although --restored says that it is a backup; if there is a backup, stop ' +
  'the relay, check the address in "ledger", and put the backup there';

type BindOptions = {
  /** The ledger was restored from a backup: the service may have orders that the ledger lost. */
  restored?: boolean;
  /** The ledger is only read, so it may be a copy that was never restored. */
  readsOnly?: boolean;
  log?: Log;
  clock?: Clock;
};

/**
 * Binds a ledger to one mode, service, `public_url` and `request_id_key`. Otherwise a test
 * order could count as paid in live mode, and an order could get a second request_id.
 *
 * @throws Error when the ledger belongs to another configuration, when it is a copy that was not
 *   restored, or when `restored` is set without `service.not_found_codes`
 */
export async function bindLedger(
  config: Config,
  ledger: Ledger,
  { clock = systemClock, log = () => {}, readsOnly = false, restored = false }: BindOptions = {},
): Promise<void> {
  if ((restored || config.mode === 'live') && (await ledger.setting('binding')) === null)
    log('warn', 'ledger', { message: restored ? NOT_A_BACKUP : NEW_LEDGER });
  if (!restored && !readsOnly) await refuseCopy(ledger);
  await compare(config, readsOnly ? withoutWriting(ledger.setting) : ledger);
  if (config.mode === 'live' && !config.request_id_key)
    log('warn', 'config', { message: `request_id_key is absent: ${NO_REQUEST_ID_KEY}` });
  if (restored) await markRestored(config, ledger, clock);
  if (readsOnly) return;
  for (const [name, value] of [
    [READERS, readersOf(config).join(' ')],
    [RULES, rulesOf(config)],
  ] as const)
    if ((await ledger.setting(name)) !== value) await ledger.writeSetting(name, value);
}

/**
 * Makes the work that logs once when another relay of the ledger started, or was reloaded, with
 * other statuses or readers: until this relay is reloaded too, each calls an order what the other
 * does not, or writes no event of it. Where they offer other things, what a customer sees and may
 * buy depends on which relay answers.
 */
export function reportOtherRules(config: Config, ledger: Ledger, log: Log): () => Promise<void> {
  const own = rulesOf(config);
  let known = own;
  return async () => {
    const newest = (await ledger.setting(RULES)) ?? own;
    if (newest === known) return;
    known = newest;
    const message =
      'the relay of this ledger that was started or reloaded last has other "statuses", ' +
      '"options", "catalogue", "open_amount" or "deposits", or has "shop_events" or ' +
      '"secret_key" where this one has none, or the reverse: give all relays the same ' +
      'configuration, and reload those that have the older one';
    if (newest !== own) log('warn', 'config', { message });
  };
}

/**
 * Refuses to change an order with an operator's copy of the configuration that lacks what the
 * relays have: the change would write no event, and the shop would never learn of it.
 */
export async function requireReaders(config: Config, ledger: Ledger): Promise<void> {
  const own = readersOf(config);
  const relays = (await ledger.setting(READERS))?.split(' ') ?? [];
  const missing = relays.filter((name) => name !== '' && !own.includes(name));
  if (missing.length > 0)
    throw new Error(
      `${missing.join(' and ')}: missing here, and the relays of this ledger have it; the shop ` +
        'would not be told, so use the configuration of the relays',
    );
}

/** @throws Error when the ledger is a copy that was not restored: it may lack what has happened */
export async function refuseCopy(ledger: Pick<Ledger, 'setting'>): Promise<void> {
  const backupAt = await ledger.setting(BACKUP_AT);
  if (backupAt) throw new Error(`ledger: ${isCopy(backupAt)}`);
}

/** @throws Error when the ledger is not a copy: its orders would no longer be followed */
export async function requireCopy(ledger: Ledger, log: Log): Promise<void> {
  if (!(await ledger.setting(BACKUP_AT)))
    throw new Error('--not-restored: the ledger is not a copy that "ledger backup" made');
  log('warn', 'ledger', {
    message: 'started with --not-restored: nothing is sent to the order service or to the shop',
  });
}

/** What to do with a copy: without a restore the orders that it lacks would be placed again. */
export const isCopy = (backupAt: string): string =>
  `is a copy that "ledger backup" made at ${backupAt}; when it takes the place of the ledger, ` +
  'start it once with "pay-checkout-relay start --restored", which asks the service about the ' +
  'orders that it lacks; start a clone that is only read with --not-restored';

/**
 * Compares a ledger with a configuration as `bindLedger` does, and writes nothing.
 *
 * @param settings the settings of the ledger; empty for a new one
 * @returns why a relay would not start with this ledger; null when it would
 */
export async function whyRefused(
  config: Config,
  settings: ReadonlyMap<string, string>,
): Promise<string | null> {
  if (settings.size > 0 && !settings.has('generation')) return NOT_OURS;
  const generation = settings.get('generation') ?? String(GENERATION);
  try {
    if (generation !== String(GENERATION)) throw new GenerationError(generation);
    await compare(
      config,
      withoutWriting(async (name) => settings.get(name) ?? null),
    );
    return null;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replace(/^ledger: /, '');
  }
}

/** Settings that are compared as they would be after a write. */
export const withoutWriting = (setting: Settings['setting']): Settings => ({
  keepSetting: async (name, value) => (await setting(name)) ?? value,
  setting,
});

export const bindingOf = ({ mode, service }: Config): string => `${mode} ${service.base_url}`;

/**
 * @param given the flags of a move that has begun; the advice names all that it needs
 * @throws Error when the ledger belongs to another configuration
 */
export async function compare(
  config: Config,
  ledger: Settings,
  given: readonly string[] = [],
): Promise<void> {
  const configured = {
    binding: bindingOf(config),
    // two shops with one ledger would read each other's orders
    public_url: config.public_url,
  };
  const different: { name: string; value: string; bound: string }[] = [];
  for (const [name, value] of Object.entries(configured)) {
    const bound = await ledger.keepSetting(name, value);
    if (bound !== value) different.push({ name, value, bound });
  }
  const [first] = different;
  if (!first) return createIdentity(config, ledger).ready();
  const flags = different.map(({ bound, name }) => moveFlag(config, name, bound));
  const all = [...given, ...flags].join(' ');
  const move = flags.includes(null)
    ? ''
    : `, or, when the shop has moved, run "ledger move ${all}"`;
  const isOfTests = config.mode === 'live' && first.bound.startsWith('test ');
  const advice = isOfTests
    ? 'it holds test orders, so begin the live shop with a ledger of its own ' +
      '("ledger": "sqlite:live.db")'
    : `write the former value${move}; a new ledger ("ledger": "sqlite:new.db") is only for a ` +
      'new shop, because it knows none of the orders and would place them again';
  const fieldName = first.name === 'binding' ? '' : `${first.name} `;
  throw new Error(
    `ledger: belongs to ${fieldName}"${first.bound}", the configuration says "${first.value}"; ` +
      advice,
  );
}

/** @returns the flag of `ledger move` that changes a setting; null when it cannot be changed */
function moveFlag({ mode }: Config, name: string, bound: string): string | null {
  if (name === 'public_url') return `--public-url ${bound}`;
  const isOfMode = name === 'binding' && bound.startsWith(`${mode} `);
  return isOfMode ? `--base-url ${bound.slice(mode.length + 1)}` : null;
}

/**
 * Records the time of the restore, and how long pay links of the backup can be used: meanwhile the
 * relay asks the service before it places an order that it may lack.
 */
async function markRestored(config: Config, ledger: Ledger, clock: Clock): Promise<void> {
  if (config.service.not_found_codes.length === 0)
    throw new Error(
      '--restored: needs service.not_found_codes, the codes by which the service says that it ' +
        'does not know an order; without them every new order would wait for a person',
    );
  const ledgerClock = createLedgerClock(ledger, clock, () => {});
  await ledgerClock.sync();
  // the link that expires last comes first
  const [link] = await ledger.walkPayLinks(null, 1);
  const links_end = (link?.expires_at ?? 0) + RESUME_AFTER_EXPIRY_MS;
  await ledger.writeSetting(RESTORED_AT, JSON.stringify({ ...ledgerClock.stamp(), links_end }));
  // sequence numbers from before the restore may be used again; the epoch tells them apart
  await ledger.writeSetting('epoch', crypto.randomUUID());
  // last: a start that was interrupted before needs --restored again
  await ledger.writeSetting(BACKUP_AT, '');
}

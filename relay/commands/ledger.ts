/**
 * `pay-checkout-relay ledger backup FILE`, `ledger verify` and `ledger recount`, which may run
 * beside relays, and `ledger move`, which may not.
 */
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { BACKUP_AT } from '../bind-ledger.js';
import type { Secret } from '../config/secrets.js';
import type { Ledger } from '../ledger/ledger.js';
import { sqliteFileOf } from '../node/sqlite-file.js';
import { readArguments, readUrl, required, TEXT, UsageError, type Command } from './arguments.js';
import { move } from './ledger-move.js';
import { withLedger, withOpenLedger } from './with-ledger.js';

const usage = `usage: pay-checkout-relay ledger backup FILE --config FILE
       pay-checkout-relay ledger verify --config FILE
       pay-checkout-relay ledger recount --config FILE
       pay-checkout-relay ledger move --config FILE [--public-url URL] [--base-url URL]
Relays may run during a backup. FILE must not exist yet. An interrupted backup leaves FILE.part:
remove it.
A relay starts on a backup only with --restored, or with --not-restored to read it.
After recount, the relays count every order again by hour. Payments go on meanwhile.
To move, stop the relays and write the new addresses into the configuration; the flags name the
former ones.`;

/** @throws UsageError, or an Error that names each contradiction */
async function run(args: string[]): Promise<void> {
  const flags = { config: TEXT, 'public-url': TEXT, 'base-url': TEXT };
  const { positionals, values } = readArguments(args, flags, usage);
  const [action, file, ...rest] = positionals;
  const config = required(values, 'config', usage);
  const former = {
    public_url: readUrl(values, 'public-url', usage),
    base_url: readUrl(values, 'base-url', usage),
  };
  const isMove = former.public_url !== undefined || former.base_url !== undefined;
  if (action === 'move' && isMove && file === undefined) return move(config, former);
  if (isMove) throw new UsageError(usage);
  if (action === 'backup' && file !== undefined && rest.length === 0)
    return withOpenLedger(config, 'leave', (ledger, { ledger: address }) =>
      backup(ledger, address, file),
    );
  if (action === 'verify' && file === undefined) return withLedger(config, verify);
  if (action === 'recount' && file === undefined) return withLedger(config, recount);
  throw new UsageError(usage);
}

export const ledger: Command = { usage, run };

async function backup(ledger: Ledger, address: Secret, file: string): Promise<void> {
  if (existsSync(file)) throw new Error(`${file} exists already`);
  // a relay would start on a copy that was interrupted before its stamp as if it were the ledger
  const part = `${file}.part`;
  // only its owner may read it, and no existing file is overwritten
  closeSync(openSync(part, 'wx', 0o600));
  try {
    await ledger.backup(part);
    // SQLite has synced the file when the stamp is committed
    stampBackup(part, new Date());
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  const source = sqliteFileOf(address.reveal()) ?? 'the ledger';
  process.stdout.write(`backup of ${source} written to ${file}\n`);
}

/** Marks a copy of a SQLite ledger, so that no relay starts on it as if it were the ledger. */
export function stampBackup(file: string, at: Date): void {
  const copy = new DatabaseSync(file);
  try {
    copy
      .prepare('insert or replace into settings (name, value) values (?, ?)')
      .run(BACKUP_AT, at.toISOString());
  } finally {
    copy.close();
  }
}

async function recount(ledger: Ledger): Promise<void> {
  await ledger.recount();
  process.stdout.write('the relays of this ledger count its orders again\n');
}

async function verify(ledger: Ledger): Promise<void> {
  const found = await ledger.verify();
  if (found.length > 0)
    throw new Error(
      `the ledger is not consistent:\n${found.map((line) => `  ${line}`).join('\n')}`,
    );
  process.stdout.write('the ledger is consistent\n');
}

/** Marks a copy of a SQLite ledger, so that no relay starts on it as if it were the ledger. */
import { DatabaseSync } from '@photostructure/sqlite';
import { BACKUP_AT } from '../bind-ledger.js';

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

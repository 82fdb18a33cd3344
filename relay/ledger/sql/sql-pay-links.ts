/** The pay links, and the intent that each browser has opened by a link. */
import type { Kysely, Transaction } from 'kysely';
import {
  hasFreeUse,
  mayBePaid,
  type PayLinkBrowserRow,
  type PayLinkLedger,
  type PayLinkRow,
  type PayLinkUse,
} from '../pay-link-ledger.js';
import type { Engine } from './engine.js';
import { orderStatements } from './order-statements.js';
import { fromTable } from './order-table.js';
import type { Tables } from './tables.js';

/** @param read for reads outside a transaction */
export const sqlPayLinks = (
  db: Kysely<Tables>,
  read: Kysely<Tables>,
  engine: Engine,
): PayLinkLedger => ({
  addPayLink: async (row) => void (await db.insertInto('pay_links').values(row).execute()),
  payLink: async (tokenDigest) =>
    (await read
      .selectFrom('pay_links')
      .selectAll()
      .where('token_digest', '=', tokenDigest)
      .executeTakeFirst()) ?? null,
  payLinkIntent: (payLinkId, attempt) => intentOf(read, { pay_link_id: payLinkId, attempt }),
  freePayLinkUse: (use) =>
    db.transaction().execute(async (transaction) => {
      const link = await lockedLink(transaction, engine, use);
      const intentId = await intentOf(transaction, use);
      if (!link || intentId === null || (await hasSentOrder(transaction, engine, intentId))) return;
      await transaction
        .deleteFrom('pay_link_browsers')
        .where('pay_link_id', '=', use.pay_link_id)
        .where('attempt', '=', use.attempt)
        .execute();
      await setUsed(transaction, link, link.used - 1);
    }),
  revokePayLink: async (payLinkId, at) => {
    await db
      .updateTable('pay_links')
      .set({ revoked_at: at })
      .where('pay_link_id', '=', payLinkId)
      .where('revoked_at', 'is', null)
      .execute();
    const row = await db
      .selectFrom('pay_links')
      .select('revoked_at')
      .where('pay_link_id', '=', payLinkId)
      .executeTakeFirst();
    return row?.revoked_at ?? null;
  },
  purgePayLink: (before, limit) =>
    db.transaction().execute(async (transaction) => {
      const old = await engine
        .skipLocked(
          transaction
            .selectFrom('pay_links')
            .select('pay_link_id')
            .where('expires_at', '<', before)
            .orderBy('expires_at')
            .limit(1),
        )
        .executeTakeFirst();
      return old ? deletePart(transaction, old.pay_link_id, limit) : 0;
    }),
});

/**
 * Checks that the link is open, and gives a use to a browser that has none. The link stays locked
 * until the commit.
 *
 * @returns false when the link takes no order of this browser
 */
export async function takePayLinkUse(
  transaction: Transaction<Tables>,
  engine: Engine,
  { attempt, intent_id, now, pay_link_id }: PayLinkBrowserRow & { now: number },
): Promise<boolean> {
  const link = await lockedLink(transaction, engine, { pay_link_id });
  if (!link || link.revoked_at !== null) return false;
  if (link.uses === 1) return true;
  const stored = await intentOf(transaction, { pay_link_id, attempt });
  if (stored !== null) return stored === intent_id;
  if (!hasFreeUse(link, now)) return false;
  await setUsed(transaction, link, link.used + 1);
  await transaction
    .insertInto('pay_link_browsers')
    .values({ pay_link_id, attempt, intent_id })
    .execute();
  return true;
}

const lockedLink = (
  transaction: Transaction<Tables>,
  engine: Engine,
  { pay_link_id }: Pick<PayLinkUse, 'pay_link_id'>,
): Promise<PayLinkRow | undefined> =>
  engine
    .lock(transaction.selectFrom('pay_links').selectAll().where('pay_link_id', '=', pay_link_id))
    .executeTakeFirst();

const setUsed = (
  transaction: Transaction<Tables>,
  { pay_link_id }: PayLinkRow,
  used: number,
): Promise<unknown> =>
  transaction
    .updateTable('pay_links')
    .set({ used })
    .where('pay_link_id', '=', pay_link_id)
    .execute();

async function intentOf(
  db: Kysely<Tables>,
  { attempt, pay_link_id }: PayLinkUse,
): Promise<string | null> {
  const row = await db
    .selectFrom('pay_link_browsers')
    .select('intent_id')
    .where('pay_link_id', '=', pay_link_id)
    .where('attempt', '=', attempt)
    .executeTakeFirst();
  return row?.intent_id ?? null;
}

async function hasSentOrder(
  db: Kysely<Tables>,
  engine: Engine,
  intentId: string,
): Promise<boolean> {
  const { rows } = await orderStatements(engine).selectOrdersOf(db, { intentId });
  return rows.map(fromTable).some(mayBePaid);
}

/** @returns the number of deleted rows */
async function deletePart(
  transaction: Transaction<Tables>,
  payLinkId: string,
  limit: number,
): Promise<number> {
  const browsers = await transaction
    .selectFrom('pay_link_browsers')
    .select('attempt')
    .where('pay_link_id', '=', payLinkId)
    .limit(limit)
    .execute();
  if (browsers.length === 0) {
    await transaction.deleteFrom('pay_links').where('pay_link_id', '=', payLinkId).execute();
    return 1;
  }
  const attempts = browsers.map(({ attempt }) => attempt);
  await transaction
    .deleteFrom('pay_link_browsers')
    .where('pay_link_id', '=', payLinkId)
    .where('attempt', 'in', attempts)
    .execute();
  return browsers.length;
}

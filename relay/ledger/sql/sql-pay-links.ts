/** The pay links, and the number that each browser has of a link. */
import type { Kysely, Transaction } from 'kysely';
import { hasFreeUse, type PayLinkLedger } from '../pay-link-ledger.js';
import type { Engine } from './engine.js';
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
  payLinkUse: (payLinkId, attempt) => numberOf(read, payLinkId, attempt),
  takePayLinkUse: (payLinkId, attempt, now, unusable) =>
    db.transaction().execute(async (transaction) => {
      // locked until the commit, so that two browsers cannot get the same number
      const link = await engine
        .lock(transaction.selectFrom('pay_links').selectAll().where('pay_link_id', '=', payLinkId))
        .executeTakeFirst();
      const known = await numberOf(transaction, payLinkId, attempt);
      if (known !== null && known !== unusable) return known;
      if (!link || !hasFreeUse(link, now)) return null;
      const number = link.used + 1;
      await transaction
        .updateTable('pay_links')
        .set({ used: number })
        .where('pay_link_id', '=', payLinkId)
        .execute();
      await transaction
        .insertInto('pay_link_uses')
        .values({ pay_link_id: payLinkId, attempt, number })
        .onConflict((conflict) =>
          conflict.columns(['pay_link_id', 'attempt']).doUpdateSet({ number }),
        )
        .execute();
      return number;
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

async function numberOf(
  db: Kysely<Tables>,
  payLinkId: string,
  attempt: string,
): Promise<number | null> {
  const row = await db
    .selectFrom('pay_link_uses')
    .select('number')
    .where('pay_link_id', '=', payLinkId)
    .where('attempt', '=', attempt)
    .executeTakeFirst();
  return row?.number ?? null;
}

/** @returns the number of deleted rows */
async function deletePart(
  transaction: Transaction<Tables>,
  payLinkId: string,
  limit: number,
): Promise<number> {
  const uses = await transaction
    .selectFrom('pay_link_uses')
    .select('attempt')
    .where('pay_link_id', '=', payLinkId)
    .limit(limit)
    .execute();
  if (uses.length === 0) {
    await transaction.deleteFrom('pay_links').where('pay_link_id', '=', payLinkId).execute();
    return 1;
  }
  const attempts = uses.map(({ attempt }) => attempt);
  await transaction
    .deleteFrom('pay_link_uses')
    .where('pay_link_id', '=', payLinkId)
    .where('attempt', 'in', attempts)
    .execute();
  return uses.length;
}

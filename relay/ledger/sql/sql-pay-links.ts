/** The pay links, and the uses that their intents take and give back. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { holdsUse } from '../open-orders.js';
import {
  linkOfIntent,
  mayClaim,
  type PayLinkClaim,
  type PayLinkLedger,
  type PayLinkRow,
} from '../pay-link-ledger.js';
import type { Engine } from './engine.js';
import { orderStatements } from './order-statements.js';
import { fromTable } from './order-table.js';
import type { Tables } from './tables.js';

/** Thrown to roll back a claim whose link takes no order of this intent. */
export class LinkClosed extends Error {}

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
  purgePayLinks: (before, limit) =>
    db.transaction().execute(async (transaction) => {
      const old = await engine
        .skipLocked(
          transaction
            .selectFrom('pay_links')
            .select('pay_link_id')
            .where('expires_at', '<', before)
            .orderBy('expires_at')
            .limit(limit),
        )
        .execute();
      if (old.length === 0) return 0;
      const ids = old.map(({ pay_link_id }) => pay_link_id);
      await transaction.deleteFrom('pay_links').where('pay_link_id', 'in', ids).execute();
      return old.length;
    }),
});

/**
 * Writes orders of an intent, and counts the use of the link that the intent takes or gives back.
 * The link stays locked until the commit.
 *
 * @param claim the link that an order is claimed by; absent in any other write
 * @throws LinkClosed when the link takes no order of this intent
 */
export async function countingUse<T>(
  transaction: Transaction<Tables>,
  engine: Engine,
  { claim, intentId }: { claim?: PayLinkClaim | undefined; intentId: string },
  write: () => Promise<T>,
): Promise<T> {
  const counted = linkOfIntent(intentId);
  const linkId = counted ?? claim?.pay_link_id;
  if (linkId === undefined) return write();
  const link = await lockedLink(transaction, engine, linkId);
  const holds = async (): Promise<boolean> => {
    const { rows } = await orderStatements(engine).selectOrdersOf(transaction, { intentId });
    return rows.map(fromTable).some(holdsUse);
  };
  const before = counted !== null && (await holds());
  if (claim && !(link && mayClaim(link, { holds: before, now: claim.now }))) throw new LinkClosed();
  const result = await write();
  const after = counted !== null && (await holds());
  if (link && before !== after)
    await transaction
      .updateTable('pay_links')
      .set({ used: sql`used + ${after ? 1 : -1}` })
      .where('pay_link_id', '=', linkId)
      .execute();
  return result;
}

const lockedLink = (
  transaction: Transaction<Tables>,
  engine: Engine,
  payLinkId: string,
): Promise<PayLinkRow | undefined> =>
  engine
    .lock(transaction.selectFrom('pay_links').selectAll().where('pay_link_id', '=', payLinkId))
    .executeTakeFirst();

/** Lists pay links, and revokes them. */
import type { z } from 'zod';
import { payLinkTerms } from '../contract/pay-links.js';
import type { Place } from '../ledger/operator-ledger.js';
import type { PayLinkRow } from '../ledger/pay-link-ledger.js';
import type { Context } from '../orders/context.js';
import { isLinkOver } from '../pay-links/pay-link.js';
import { readCursor, writeCursor, type Page } from './paging.js';
import { Refusal } from './refusal.js';
import { operatorLink, type linksShape, type revokedShape } from './shapes.js';
import { instant, instantOrNull } from './operator-order.js';

type OperatorLink = z.infer<typeof operatorLink>;

/** @returns those first that expire last */
export async function listLinks(
  { ledger, ledgerClock }: Pick<Context, 'ledger' | 'ledgerClock'>,
  page: Page,
): Promise<z.infer<typeof linksShape>> {
  // one more tells whether another page follows
  const { limit } = page;
  const found = await ledger.walkPayLinks(readCursor(page), limit + 1);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    links: rows.map((row) => shownLink(row, ledgerClock.latestNow())),
    cursor: last ? writeCursor(placeOfLink(last)) : null,
  };
}

export const placeOfLink = ({ expires_at, pay_link_id }: PayLinkRow): Place => ({
  at: expires_at,
  id: pay_link_id,
});

const shownLink = (row: PayLinkRow, now: number): OperatorLink =>
  operatorLink.parse({
    ...payLinkTerms.parse(JSON.parse(row.terms)),
    ...row,
    used: row.uses === 1 ? null : row.used,
    created_at: instant(row.created_at),
    expires_at: instant(row.expires_at),
    over: isLinkOver(row, now),
    revoked_at: instantOrNull(row.revoked_at),
    erased_at: instantOrNull(row.erased_at),
  } satisfies OperatorLink);

/**
 * @returns when the link was first revoked, and by whom; null: by the shop's backend
 * @throws Refusal when there is no such link
 */
export async function revokeLink(
  { ledger, ledgerClock }: Pick<Context, 'ledger' | 'ledgerClock'>,
  id: string,
  by: string,
): Promise<z.infer<typeof revokedShape>> {
  const revokedAt = await ledger.revokePayLink(id, ledgerClock.now(), by);
  if (revokedAt === null) throw new Refusal(`no pay link ${id} in this ledger`);
  const row = await ledger.payLinkById(id);
  return {
    pay_link_id: id,
    revoked_at: instant(revokedAt),
    revoked_by: row?.revoked_by ?? null,
  };
}

/** When the ledger was restored from a backup, if it was. */
import { z } from 'zod';
import { LONGEST_USE_MS } from '../../intent/order-token.js';
import type { Stamp } from '../../ledger/rows.js';
import type { Context } from '../context.js';

/** The ledger's setting with the times of its restore. */
export const RESTORED_AT = 'restored_at';
/** The time of a restore, and when the last pay link of the backup can no longer be used. */
const restore = z.object({
  created_at: z.int(),
  aged_from: z.int(),
  links_end: z.int().default(0),
});
export type RestoredAt = z.output<typeof restore>;

/** @returns null when the ledger was not restored */
export async function readRestoredAt({
  ledger,
}: Pick<Context, 'ledger'>): Promise<RestoredAt | null> {
  const text = await ledger.setting(RESTORED_AT);
  return text === null ? null : restore.parse(JSON.parse(text));
}

/** Whether a token from before the restore may still be used. */
const isRecent = ({ ledgerClock }: Pick<Context, 'ledgerClock'>, at: Stamp): boolean =>
  (ledgerClock.ageOf(at) ?? 0) < LONGEST_USE_MS;

/**
 * Whether the ledger may lack orders of an intent. Only a pay link can be used for longer than a
 * token.
 *
 * @param madeAt when the intent or its link was made; 0 when this is not known
 */
export const mayLackOrders = (
  context: Pick<Context, 'ledgerClock'>,
  at: RestoredAt,
  madeAt: number,
): boolean =>
  isRecent(context, at) ||
  (madeAt <= at.created_at && context.ledgerClock.earliestNow() < at.links_end);

/** Whether the ledger may lack the order that replaced this one, however long ago. */
export async function mayBeReplaced(
  context: Pick<Context, 'ledger' | 'ledgerClock'>,
  order: Pick<Stamp, 'created_at'>,
): Promise<boolean> {
  const at = await readRestoredAt(context);
  return at !== null && (isRecent(context, at) || order.created_at <= at.created_at);
}

/** When the ledger was restored from a backup, if it was. */
import { z } from 'zod';
import { DAY_MS } from '../../contract/durations.js';
import type { Stamp } from '../../ledger/rows.js';
import type { Context } from '../context.js';

/** The ledger's setting with the times of its restore. */
export const RESTORED_AT = 'restored_at';
/** For so long the service is asked before anything is sent. */
const ASK_FIRST_MS = DAY_MS;

const stamp = z.object({ created_at: z.int(), aged_from: z.int() });

/** @returns null when the ledger was not restored */
export async function readRestoredAt({ ledger }: Pick<Context, 'ledger'>): Promise<Stamp | null> {
  const text = await ledger.setting(RESTORED_AT);
  return text === null ? null : stamp.parse(JSON.parse(text));
}

export const isRecent = ({ ledgerClock }: Pick<Context, 'ledgerClock'>, at: Stamp): boolean =>
  (ledgerClock.ageOf(at) ?? 0) < ASK_FIRST_MS;

export async function isJustRestored(
  context: Pick<Context, 'ledger' | 'ledgerClock'>,
): Promise<boolean> {
  const at = await readRestoredAt(context);
  return at !== null && isRecent(context, at);
}

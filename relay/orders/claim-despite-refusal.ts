/** The claim of an order that the ledger lost and that the service has. */
import type { Claim, Claimed } from '../ledger/ledger.js';
import type { Context } from './context.js';

/**
 * Claims an order that the service already has, so a refusal must not stop it. After `link_closed`
 * it claims without asking the pay link: the intent takes its use even above the link's `uses`.
 * After a refused supersede it closes the former intents that are neither paid nor closed, and
 * claims without them.
 */
export async function claimDespiteRefusal(
  context: Pick<Context, 'ledger' | 'time'>,
  claim: Claim,
): Promise<Claimed> {
  const { ledger, time } = context;
  const claimed = await ledger.claimOrder(claim);
  if (!claimed.refused) return claimed;
  if (claimed.refused === 'link_closed')
    return claimDespiteRefusal(context, { ...claim, payLink: undefined });
  const closed = { at: time.now(), reason: null };
  for (const former of claim.supersedes ?? []) await ledger.closeIntent(former, closed);
  return ledger.claimOrder({ ...claim, supersedes: undefined });
}

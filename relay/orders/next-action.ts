/** Reads from the links that the service returned what the customer must do next. */
import { linkAllowed, type LinkRules } from '../config/links.js';
import type { NextAction } from '../contract/order.js';
import { MAX_LINK_CHARACTERS } from '../contract/paths.js';
import type { ReviewReason } from '../contract/review-reasons.js';
import type { OrderRow } from '../ledger/rows.js';
import { codeAlone } from '../qrcode/margins.js';
import type { PayAnswer } from './order-event.js';

/**
 * @param answer at most one of its links may be present; without one the customer waits
 * @param rules which links may be opened
 * @returns the reason of a review when the links cannot be shown
 */
export function readNextAction(answer: PayAnswer, rules: LinkRules): NextAction | ReviewReason {
  const { checkout_url, wallet_url } = answer;
  const qrcode_string = codeAlone(answer.qrcode_string ?? '');
  const present = [qrcode_string, checkout_url, wallet_url].filter(
    (link) => typeof link === 'string' && link !== '',
  );
  if (present.length > 1) return 'two_links';
  if (present.some((link) => (link?.length ?? 0) > MAX_LINK_CHARACTERS)) return 'link_not_allowed';
  // A code needs no link check here: the page only draws it, and `checkedCode` checks its
  // content. The page gets `code_opens` only when the code is a link that may be opened.
  if (qrcode_string) return { kind: 'scan_qr', qrcode_string };
  if (checkout_url)
    return linkAllowed(checkout_url, rules)
      ? { kind: 'open_page', checkout_url }
      : 'link_not_allowed';
  if (wallet_url)
    return linkAllowed(wallet_url, rules)
      ? { kind: 'open_wallet', wallet_url }
      : 'link_not_allowed';
  return { kind: 'wait' };
}

/**
 * Checks the order's link again: its host may have been taken out of the configuration since. The
 * order itself stays as it is, because the customer may have paid by the link before.
 *
 * @returns the order as it may be shown; without its link the customer waits, or pays in another
 *   way
 */
export function withAllowedLink(order: OrderRow, rules: LinkRules): OrderRow {
  const link = openedLink(order.next_action);
  return link === null || linkAllowed(link, rules)
    ? order
    : { ...order, next_action: { kind: 'wait' } };
}

/** @returns the link that the page opens; null for a code, which it only draws */
function openedLink(action: NextAction | null): string | null {
  switch (action?.kind) {
    case 'open_page':
      return action.checkout_url;
    case 'open_wallet':
      return action.wallet_url;
    case 'scan_qr':
    case 'wait':
    case undefined:
      return null;
  }
}

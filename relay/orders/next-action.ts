/** What the customer must do now, by the links that the service returned. */
import { linkAllowed, type LinkRules } from '../config/links.js';
import type { NextAction } from '../contract/order.js';
import { MAX_LINK_CHARACTERS } from '../contract/paths.js';
import type { ReviewReason } from '../ledger/rows.js';

type Links = {
  qrcode_string?: string | null | undefined;
  checkout_url?: string | null | undefined;
  wallet_url?: string | null | undefined;
};

/** Whichever link is present decides; none is a valid answer; two are not. */
export function readNextAction(said: Links, links: LinkRules): NextAction | ReviewReason {
  const { qrcode_string, checkout_url, wallet_url } = said;
  const present = [qrcode_string, checkout_url, wallet_url].filter(
    (link) => typeof link === 'string' && link !== '',
  );
  if (present.length > 1) return 'two_links';
  if (present.some((link) => (link?.length ?? 0) > MAX_LINK_CHARACTERS)) return 'link_not_allowed';
  // a QR code's content is drawn and never opened, so no text is refused
  if (qrcode_string) return { kind: 'scan_qr', qrcode_string };
  if (checkout_url)
    return linkAllowed(checkout_url, links)
      ? { kind: 'open_page', checkout_url }
      : 'link_not_allowed';
  if (wallet_url)
    return linkAllowed(wallet_url, links)
      ? { kind: 'open_wallet', wallet_url }
      : 'link_not_allowed';
  return { kind: 'wait' };
}

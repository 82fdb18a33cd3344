/** A link to the wallet at `wallet_url`, and its QR code where the device is not a phone. */
import { isSafeLink } from '../fragments/external-link.js';
import { orderNumber, payee, waiting } from '../fragments/order-facts.js';
import { largeQr } from '../fragments/large-qr.js';
import { tools } from '../fragments/tools.js';
import { checkOrOpen, otherRoads } from './check-or-open.js';
import type { NextActionView } from './next-action-view.js';
import { elsewhere } from './on-phone.js';
import { opening } from './wallet-sheet.js';

export const openWallet: NextActionView<'open_wallet'> = (view, order, { wallet_url }) => {
  const { linkOpened, linkSchemes, nothingOpened, onPhone, t } = view;
  const drawn =
    (onPhone && !nothingOpened) || !isSafeLink(wallet_url, linkSchemes)
      ? null
      : largeQr(view, wallet_url, t('qr_alt'), order, 'qr link-qr');
  const code = onPhone ? null : drawn;
  const isQuiet = code !== null || linkOpened;
  const look = isQuiet ? 'quiet' : 'primary';
  const opens = opening(view, order, wallet_url, t('open_wallet'), look);
  const { action: link, sheet } = opens;
  const { secondary, ...actions } = checkOrOpen(view, order, linkOpened, link);
  const isBeside = code && !linkOpened;
  return {
    title: code ? t('on_phone_hint') : t('pay_here'),
    ...(code && { beside: 'code' }),
    content: [code, payee(view, order), sheet],
    ...(!code && !linkOpened && { next: t('open_wallet_hint') }),
    waiting: waiting(view, order, t('awaiting')),
    ...actions,
    ...(isBeside && { primary: null }),
    secondary: [isBeside ? link : null, ...secondary],
    ...(nothingOpened &&
      otherRoads(view, order, wallet_url, opens, onPhone ? elsewhere(view, drawn) : null)),
    // the code on this screen is the next road, and its title says so
    ...(nothingOpened && code && { hint: null }),
    more: [...tools(view, order), orderNumber(view, order)],
  };
};

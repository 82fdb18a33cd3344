/** A link to the wallet at `wallet_url`; a desktop shows the link's QR code for a phone first. */
import { changeButton, checkButton } from '../fragments/actions.js';
import { externalLink, isSafeLink } from '../fragments/external-link.js';
import { orderNumber, pulsing, waiting, waitsLong } from '../fragments/order-facts.js';
import { largeQr } from '../fragments/large-qr.js';
import { tools } from '../fragments/tools.js';
import type { NextActionView } from './next-action-view.js';

export const openWallet: NextActionView<'open_wallet'> = (view, order, { wallet_url }) => {
  const { linkOpened, linkSchemes, t, touch } = view;
  const code =
    touch || !isSafeLink(wallet_url, linkSchemes)
      ? null
      : largeQr(view, wallet_url, t('qr_alt'), order, 'link-qr');
  const link = externalLink(view, order, wallet_url, t('open_wallet'), code ? 'quiet' : 'primary');
  const hint = code ? t('on_phone_hint') : t('open_wallet_hint');
  // Before the customer has opened the wallet, the title says what to do.
  const isToDo = !code && !linkOpened;
  return {
    title: isToDo ? hint : t('awaiting'),
    ...(isToDo
      ? {}
      : { heading: pulsing(t('awaiting')), hint: linkOpened ? t('wallet_nothing') : hint }),
    content: [code, waiting(view, order, isToDo ? t('awaiting') : null)],
    primary: code ? null : link,
    secondary: [
      code ? link : null,
      waitsLong(view, order) ? checkButton(view) : null,
      changeButton(view),
    ],
    more: [...tools(view, order), orderNumber(view, order)],
  };
};

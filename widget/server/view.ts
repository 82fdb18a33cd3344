/** The argument of the views on a server, which knows neither the customer's window nor device. */
import type { CheckoutResponse } from '../../relay/contract/responses.js';
import type { State } from '../checkout/flow.js';
import { initialPage, optionOfOrder } from '../element/controller-state.js';
import { maxQrWidth } from '../element/host.js';
import { draw } from '../fragments/qr-drawing.js';
import type { ViewContext } from '../fragments/view-context.js';
import { labelIn, wordsIn } from '../texts/label.js';
import type { Language } from '../texts/language.js';
import { formatAsset, formatMoney, moneyParts } from '../texts/money.js';

/** Width of the card on a desktop; the style sheet shrinks the code in a narrower card. */
const DESKTOP_PX = 520;

const ignore = (): void => {};
/** No listener is written into HTML, so nothing calls these. */
const actions: ViewContext['actions'] = {
  select: ignore,
  search: ignore,
  setCustomer: ignore,
  pay: ignore,
  payAgain: ignore,
  chooseAgain: ignore,
  backToOrder: ignore,
  checkNow: ignore,
  retry: ignore,
  restart: ignore,
  loadWallets: ignore,
  openLink: ignore,
  speak: ignore,
  showCode: ignore,
  comparePasted: ignore,
  toggleTagConfirmed: ignore,
};

type Shown = {
  flow: State;
  language: Language;
  option: string | undefined;
  relay: string;
  onPhone: boolean;
  now: number;
};

export function serverView(
  offer: CheckoutResponse['checkout'],
  { flow, language, now, onPhone, option, relay }: Shown,
): ViewContext {
  const { image_hosts = [], link_schemes, options, texts } = offer;
  const locale = language.tag();
  return {
    ...initialPage(false),
    t: language.texts(texts),
    locale,
    now,
    actions,
    selected: option ?? null,
    customer: {},
    money: (amount, currency) => formatMoney(amount, currency, locale),
    asset: (amount, ticker) => formatAsset(amount, ticker, locale),
    moneyParts: (amount, currency) => moneyParts(amount, currency, locale),
    draw,
    label: (label) => labelIn(label, locale),
    ownWords: (words) => wordsIn(words, locale),
    maxQrPx: maxQrWidth({ clientWidth: DESKTOP_PX, display: 'inline' }),
    relay,
    options,
    offer,
    orderOption: optionOfOrder(flow),
    imageHosts: image_hosts,
    touch: onPhone,
    android: false,
    onPhone,
    linkSchemes: link_schemes,
    openTarget: onPhone ? 'same-tab' : 'new-tab',
    canChoose: options.length > 0,
    tagGate: false,
    returnUrl: null,
    supportUrl: undefined,
    timeZone: 'UTC',
  };
}

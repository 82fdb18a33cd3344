/** Everything that the controller knows between two renders, and the view context made from it. */
import type { Order } from '../../relay/contract/order.js';
import type { Customer, Resume } from '../../relay/contract/requests.js';
import type { PaymentOption } from '../../relay/contract/responses.js';
import type { StoredAttempts } from '../browser/attempts.js';
import { environment, isInApp, openTarget, type OpenTarget } from '../browser/opener.js';
import type { Checkout } from '../checkout/checkout.js';
import { offerOf, orderOf, type State } from '../checkout/flow.js';
import { draw } from '../fragments/qr-drawing.js';
import type { PageState, ViewContext } from '../fragments/view-context.js';
import { labelIn, wordsIn } from '../texts/label.js';
import { formatAsset, formatMoney, moneyParts } from '../texts/money.js';
import { maxQrWidth, ownHelp, type Host } from './host.js';

export type ControllerState = {
  /** False until the attributes were read for the first time. */
  readonly started: boolean;
  readonly checkout: Checkout | null;
  readonly attempts: StoredAttempts | null;
  readonly flow: State;
  /** The last order of this purchase. */
  readonly order: Order | null;
  readonly page: ElementPage;
  /** URL of the relay; empty until the start, and when no relay is named. */
  readonly relay: string;
  /** Relay and subject of the last checkout; equal keys mean the same purchase. */
  readonly subjectKey: string;
  /** Order that the page's URL named; kept after its key was removed from the URL. */
  readonly link: Resume | null;
  /** Text for screen readers only. */
  readonly spoken: string;
  /** Stored, because the countdown renders every second. */
  readonly environment: ReturnType<typeof environment>;
  readonly rememberedOption: string | null;
};

/** Its `customer` is only what was typed; `customerOf` adds what the page knows. */
type ElementPage = PageState & {
  /** The customer has pressed Pay and waits for the order. */
  readonly paying: boolean;
};

export const initialPage = (offline: boolean, earlierPurchase = false): ElementPage => ({
  selected: null,
  search: '',
  customer: {},
  checking: false,
  paying: false,
  leaving: false,
  linkOpened: false,
  nothingOpened: false,
  popupBlocked: false,
  shownCode: null,
  pasted: '',
  tagConfirmed: false,
  fromEarlierVisit: false,
  earlierPurchase,
  blind: false,
  offline,
});

function optionOfOrder(flow: State): PaymentOption | null {
  const id = orderOf(flow)?.option;
  const { options = [], order_option } = offerOf(flow) ?? {};
  const known = order_option ? [...options, order_option] : options;
  return known.find((option) => option.id === id) ?? null;
}

/** A touch screen whose shorter side is longer is a tablet's. */
const MAX_PHONE_PX = 600;

/** The screen decides, because a phone stays one when it is turned. */
const isPhone = ({ environment }: Pick<ControllerState, 'environment'>): boolean =>
  environment.touch && Math.min(screen.width, screen.height) <= MAX_PHONE_PX;

export const initialState = (): ControllerState => ({
  started: false,
  checkout: null,
  attempts: null,
  flow: { phase: 'loading' },
  order: null,
  page: initialPage(false),
  relay: '',
  subjectKey: '',
  link: null,
  spoken: '',
  environment: environment(),
  rememberedOption: null,
});

export function linkTarget({ openIn }: Host, state: ControllerState): OpenTarget {
  const { environment, flow, page } = state;
  const leadsBack = offerOf(flow)?.return_url !== undefined;
  return page.popupBlocked ? 'new-tab' : openTarget(openIn, environment, leadsBack);
}

/** The page may set its contact data anew at any time; what was typed stays. */
export const customerOf = (
  { customer }: Pick<Host, 'customer'>,
  { page }: Pick<ControllerState, 'page'>,
): Customer => ({ ...customer, ...page.customer });

/** What the views of an offer read, in a browser as on a server. */
export function offerContext(flow: State, locale: string, locales: readonly string[]) {
  const offer = offerOf(flow);
  const { image_hosts = [], link_schemes = [], options = [] } = offer ?? {};
  return {
    locale,
    money: (amount, currency) => formatMoney(amount, currency, locale),
    asset: (amount, ticker) => formatAsset(amount, ticker, locale),
    moneyParts: (amount, currency) => moneyParts(amount, currency, locale),
    label: (label) => labelIn(label, locales),
    ownWords: (words) => wordsIn(words, locales),
    draw,
    offer,
    options,
    canChoose: options.length > 0,
    orderOption: optionOfOrder(flow),
    imageHosts: image_hosts,
    linkSchemes: link_schemes,
  } satisfies Partial<ViewContext>;
}

export function viewContext(
  host: Host,
  state: ControllerState,
  rest: Pick<ViewContext, 't' | 'locale' | 'now' | 'actions'>,
  locales: readonly string[],
): ViewContext {
  const { flow, page, relay, rememberedOption } = state;
  const { touch, userAgent } = state.environment;
  return {
    ...page,
    ...rest,
    ...offerContext(flow, rest.locale, locales),
    blind: page.blind || (page.offline && orderOf(flow) !== null),
    selected: page.selected ?? (host.option || rememberedOption),
    customer: customerOf(host, state),
    maxQrPx: maxQrWidth(host),
    relay,
    touch,
    android: !isInApp(state.environment) && /Android/i.test(userAgent),
    onPhone: isPhone(state),
    openTarget: linkTarget(host, state),
    tagGate: host.tagGate,
    returnUrl: host.returnUrl,
    supportUrl: ownHelp(host),
  };
}

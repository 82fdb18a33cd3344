/** Everything that the controller knows between two renders, and the view context made from it. */
import type { Order } from '../../relay/contract/order.js';
import type { Resume } from '../../relay/contract/requests.js';
import type { StoredAttempts } from '../browser/attempts.js';
import { environment, openTarget, type OpenTarget } from '../browser/opener.js';
import type { Checkout } from '../checkout/checkout.js';
import { offerOf, type State } from '../checkout/flow.js';
import type { PageState, ViewContext } from '../fragments/view-context.js';
import { formatMoney, labelIn } from '../texts/format.js';
import { maxQrWidth, type Host } from './host.js';

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
  /** Text of the status line after an action. */
  readonly announcement: string;
  /** Text for screen readers only. */
  readonly spoken: string;
  /** Stored, because the countdown renders every second. */
  readonly environment: ReturnType<typeof environment>;
  readonly rememberedOption: string | null;
};

/** Without the customer, which is a property of the element. */
type ElementPage = Omit<PageState, 'customer'>;

export const initialPage = (offline: boolean): ElementPage => ({
  selected: null,
  search: '',
  checking: false,
  linkOpened: false,
  popupBlocked: false,
  shownCode: null,
  pasted: '',
  tagConfirmed: false,
  fromEarlierVisit: false,
  earlierPurchase: false,
  offline,
});

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
  announcement: '',
  spoken: '',
  environment: environment(),
  rememberedOption: null,
});

export const linkTarget = ({ openIn }: Host, { environment, page }: ControllerState): OpenTarget =>
  page.popupBlocked ? 'new-tab' : openTarget(openIn, environment);

export function viewContext(
  host: Host,
  state: ControllerState,
  rest: Pick<ViewContext, 't' | 'locale' | 'now' | 'actions'>,
): ViewContext {
  const { flow, page, relay, rememberedOption } = state;
  const { locale } = rest;
  const { link_schemes = [], options = [] } = offerOf(flow) ?? {};
  return {
    ...page,
    ...rest,
    selected: page.selected ?? host.option ?? rememberedOption,
    customer: host.customer,
    money: (amount, currency) => formatMoney(amount, currency, locale),
    label: (label) => labelIn(label, locale),
    maxQrPx: maxQrWidth(host),
    relay,
    linkSchemes: link_schemes,
    openTarget: linkTarget(host, state),
    canChoose: options.length > 0,
    tagGate: host.tagGate,
  };
}

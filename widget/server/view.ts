/** The argument of the views on a server, which knows neither the customer's window nor device. */
import { offerOf, type State } from '../checkout/flow.js';
import { initialPage, offerContext } from '../element/controller-state.js';
import { maxQrWidth } from '../element/host.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { Language } from '../texts/language.js';

/** Width of the card on a desktop; the style sheet shrinks the code in a narrower card. */
const DESKTOP_PX = 520;

type Shown = {
  flow: State;
  language: Language;
  option: string | undefined;
  relay: string;
  onPhone: boolean;
  now: number;
};

export function serverView({ flow, language, now, onPhone, option, relay }: Shown): ViewContext {
  return {
    ...initialPage(false),
    ...offerContext(flow, language.tag(), language.locales()),
    t: language.texts(offerOf(flow)?.texts),
    now,
    // no listener is written into HTML, so nothing calls these
    actions: {} as ViewContext['actions'],
    selected: option ?? null,
    customer: {},
    maxQrPx: maxQrWidth({ clientWidth: DESKTOP_PX, display: 'inline' }),
    relay,
    touch: onPhone,
    android: false,
    onPhone,
    openTarget: onPhone ? 'same-tab' : 'new-tab',
    tagGate: false,
    returnUrl: null,
    supportUrl: undefined,
    zone: { timeZone: 'UTC', timeZoneName: 'short' },
  };
}

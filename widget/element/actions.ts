/** Handlers of what the customer does on the page. */
import type { Order } from '../../relay/contract/order.js';
import type { Customer } from '../../relay/contract/requests.js';
import { openedLink, rememberedChoice, rememberedWallet } from '../browser/storage.js';
import { openPopup, type OpenTarget } from '../browser/opener.js';
import { resumeLink } from '../../relay/contract/paths.js';
import { PayOpenEvent, PayRedirectEvent } from '../events.js';
import { isWeb } from '../fragments/external-link.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { Texts } from '../texts/texts.js';
import type { ControllerState } from './controller-state.js';
import type { OpeningWatch } from './opening-watch.js';
import type { PaymentPage } from './payment-page.js';

/** The methods of the controller that the handlers call. */
type ActionTarget = {
  readonly state: Pick<ControllerState, 'checkout' | 'page' | 'relay'>;
  texts(): Texts;
  openTarget(): OpenTarget;
  customerFor(option: string): Customer | undefined;
  changePage(changes: Partial<ControllerState['page']>): void;
  speak(text: string): void;
  readonly opening: OpeningWatch;
  loadWallets(option: string): Promise<void>;
  dispatch(this: void, event: Event): boolean;
  checkNow(): Promise<void>;
  restart(): void;
  retry(): void;
};

type Actions = ViewContext['actions'] & {
  /** Opens the payment page without a tap, after Pay. */
  leaveFor(page: PaymentPage): void;
};

export const createActions = (target: ActionTarget): Actions => ({
  select: (selected) => target.changePage({ selected }),
  search: (search) => target.changePage({ search }),
  setCustomer: (typed) =>
    target.changePage({ customer: { ...target.state.page.customer, ...typed } }),
  pay: (option) => pay(target, option),
  payAgain: ({ customer = [], id }) => {
    target.state.checkout?.chooseAgain();
    if (customer.length > 0) target.changePage({ selected: id });
    else pay(target, id);
  },
  chooseAgain: () => target.state.checkout?.chooseAgain(),
  backToOrder: () => target.state.checkout?.backToOrder(),
  checkNow: () => void target.checkNow(),
  retry: () => target.retry(),
  restart: () => target.restart(),
  loadWallets: (option) => void target.loadWallets(option),
  openLink: (event, url, order, wallet) => {
    if (wallet !== undefined) rememberedWallet.write(wallet);
    // the second click of a double click would open the page twice
    const { linkOpened } = target.state.page;
    const isSecond = event.detail > 1 && linkOpened;
    const who = isSecond ? 'page' : whoOpens(target, url, order);
    const opens = who === 'element' && isWeb(url) && target.openTarget();
    const isPopup = opens === 'popup';
    if (isPopup || who !== 'element') event.preventDefault();
    if (who === 'page') return;
    const popupBlocked = isPopup && !openPopup(url);
    target.changePage({
      leaving: false,
      linkOpened: !popupBlocked,
      nothingOpened: false,
      popupBlocked,
    });
    if (popupBlocked) return target.speak(target.texts()('popup_blocked'));
    openedLink(order.request_id).write();
    // With such a key the browser opens a tab behind this page, which keeps the focus.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    target.opening.start(opens === 'same-tab' && order.next_action?.kind === 'open_page');
  },
  leaveFor: ({ order, url }) => {
    const who = whoOpens(target, url, order);
    if (who !== 'page') openedLink(order.request_id).write();
    if (who === 'element') return location.assign(url);
    target.changePage({ leaving: false, linkOpened: who === 'app' });
    if (who === 'app') target.opening.start();
  },
  speak: (text) => target.speak(text),
  showCode: (shownCode) => target.changePage({ shownCode }),
  comparePasted: (pasted) => target.changePage({ pasted }),
  toggleTagConfirmed: () => target.changePage({ tagConfirmed: !target.state.page.tagConfirmed }),
});

/** The shop's page may open a link itself, and so may the app around the page. */
function whoOpens(
  { dispatch, state }: ActionTarget,
  url: string,
  order: Order,
): 'page' | 'app' | 'element' {
  if (!dispatch(new PayRedirectEvent({ url, order }))) return 'page';
  const ofPage = isWeb(url) ? 'web' : 'app';
  const kind = url === resumeLink(state.relay, order) ? 'browser' : ofPage;
  const reason = state.page.nothingOpened ? 'nothing_opened' : 'tap';
  return dispatch(new PayOpenEvent({ url, kind, reason })) ? 'element' : 'app';
}

function pay(target: ActionTarget, option: string): void {
  rememberedChoice.write(option);
  // the form stays with this option when the relay refuses what was typed, also after a search
  target.changePage({ paying: true, selected: option });
  target.state.checkout?.choose(option, target.customerFor(option));
}

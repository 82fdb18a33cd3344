/** Handlers of what the customer does on the page. */
import type { Customer } from '../../relay/contract/requests.js';
import { openedLink, rememberedChoice, rememberedWallet } from '../browser/storage.js';
import { openPopup, type OpenTarget } from '../browser/opener.js';
import { resumeLink } from '../../relay/contract/paths.js';
import { PayOpenEvent, PayRedirectEvent } from '../events.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { Texts } from '../texts/texts.js';
import type { ControllerState } from './controller-state.js';

/** The methods of the controller that the handlers call. */
type ActionTarget = {
  readonly state: Pick<ControllerState, 'checkout' | 'page' | 'relay'>;
  texts(): Texts;
  openTarget(): OpenTarget;
  customerFor(option: string): Customer | undefined;
  setCustomer(customer: Customer): void;
  changePage(changes: Partial<ControllerState['page']>): void;
  speak(text: string): void;
  watchOpening(): void;
  loadWallets(option: string): Promise<void>;
  dispatch(event: Event): boolean;
  checkNow(): Promise<void>;
  restart(): void;
  retry(): void;
};

export const createActions = (target: ActionTarget): ViewContext['actions'] => ({
  select: (selected) => target.changePage({ selected }),
  search: (search) => target.changePage({ search }),
  setCustomer: (customer) => target.setCustomer(customer),
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
    const { page, relay } = target.state;
    const { linkOpened, nothingOpened, popupBlocked: wasBlocked } = page;
    const isSecond = event.detail > 1 && linkOpened && !wasBlocked;
    if (isSecond || !target.dispatch(new PayRedirectEvent({ url, order })))
      return event.preventDefault();
    const ofBrowser = url === resumeLink(relay, order);
    const ofPage = /^https?:/i.test(url) ? 'web' : 'app';
    const kind = ofBrowser ? 'browser' : ofPage;
    const reason = nothingOpened ? 'nothing_opened' : 'tap';
    const isHostsTurn = !target.dispatch(new PayOpenEvent({ url, kind, reason }));
    const where = target.openTarget();
    const isPopup = where === 'popup' && kind !== 'app' && !isHostsTurn;
    if (isPopup || isHostsTurn) event.preventDefault();
    const popupBlocked = isPopup && !openPopup(url, linkOpened);
    target.changePage({ linkOpened: true, nothingOpened: false, popupBlocked });
    // a payment page that loads slowly in the same tab opens too
    if (order.next_action?.kind !== 'open_page' || where !== 'same-tab') target.watchOpening();
    if (popupBlocked) target.speak(target.texts()('popup_blocked'));
    else openedLink(order.request_id).write();
  },
  speak: (text) => target.speak(text),
  showCode: (shownCode) => target.changePage({ shownCode }),
  comparePasted: (pasted) => target.changePage({ pasted }),
  toggleTagConfirmed: () => target.changePage({ tagConfirmed: !target.state.page.tagConfirmed }),
});

function pay(target: ActionTarget, option: string): void {
  rememberedChoice.write(option);
  target.changePage({ paying: true });
  target.state.checkout?.choose(option, target.customerFor(option));
}

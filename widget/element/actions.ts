/** What the customer does on the page, and what that means for the checkout. */
import type { Customer } from '../../relay/contract/requests.js';
import type { Checkout } from '../checkout/checkout.js';
import { PayRedirectEvent } from '../events.js';
import type { PageState, ViewContext } from '../fragments/view-context.js';
import { rememberedChoice } from '../browser/choice.js';
import { openPopup, type OpenTarget } from '../browser/opener.js';
import type { Texts } from '../texts/texts.js';

export const initialPageState: Omit<PageState, 'customer' | 'offline'> = {
  selected: null,
  search: '',
  checking: false,
  opened: false,
  blocked: false,
  code: null,
  pasted: '',
  understood: false,
  found: false,
  earlier: false,
};

type ActionsDeps = {
  checkout(): Checkout | null;
  page(): Omit<PageState, 'customer'>;
  /** What the option asks for, and no more. */
  customer(option: string): Customer | undefined;
  way(): OpenTarget;
  t(): Texts;
  change(changes: Partial<PageState>): void;
  announce(text: string): void;
  dispatch(event: Event): boolean;
  checkNow(): void;
  /** Begins anew, the attempt forgotten or not. */
  restart(): void;
  retry(): void;
};

export const createActions = ({
  change,
  checkNow,
  checkout,
  dispatch,
  customer,
  page,
  restart,
  retry,
  announce: say,
  t,
  way,
}: ActionsDeps): ViewContext['actions'] => ({
  select: (selected) => change({ selected }),
  search: (search) => change({ search }),
  setCustomer: (customer) => change({ customer }),
  pay: (option) => {
    rememberedChoice.write(option);
    checkout()?.choose(option, customer(option));
  },
  chooseAgain: () => checkout()?.chooseAgain(),
  backToOrder: () => checkout()?.backToOrder(),
  checkNow,
  retry,
  restart,
  opening: (event, url, order) => {
    if (!dispatch(new PayRedirectEvent({ url, order }))) return event.preventDefault();
    if (way() !== 'popup' || !/^https?:/i.test(url)) return change({ opened: true });
    event.preventDefault();
    const blocked = !openPopup(url, page().opened);
    change({ opened: true, blocked });
    if (blocked) say(t()('popup_blocked'));
  },
  announce: say,
  showCode: (code) => change({ code }),
  paste: (pasted) => change({ pasted }),
  understand: () => change({ understood: !page().understood }),
});

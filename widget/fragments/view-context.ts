/** What every view is given: words, money, and what the customer can do. */
import type { Order } from '../../relay/contract/order.js';
import type { Customer } from '../../relay/contract/requests.js';
import type { Label } from '../../relay/contract/responses.js';
import type { Texts } from '../texts/texts.js';

export type ViewContext = {
  readonly t: Texts;
  readonly locale: string;
  readonly money: (amount: string, currency: string) => string;
  /** A text, or the one of a map that fits the locale. */
  readonly label: (label: Label) => string;
  readonly linkSchemes: readonly string[];
  /** Option id marked in the list. */
  readonly selected: string | null;
  readonly customer: Customer;
  readonly checking: boolean;
  readonly actions: {
    select(option: string): void;
    setCustomer(customer: Customer): void;
    pay(option: string): void;
    chooseAgain(): void;
    backToOrder(): void;
    checkNow(): void;
    retry(): void;
    restart(): void;
    /** A link is about to be opened. */
    opening(event: Event, url: string, order: Order): void;
    announce(text: string): void;
  };
};

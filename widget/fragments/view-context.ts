/**
 * What every view is given: words, money, the page's surroundings, and what the customer can do.
 */
import type { Order } from '../../relay/contract/order.js';
import type { Customer } from '../../relay/contract/requests.js';
import type { Label } from '../../relay/contract/responses.js';
import type { OpenTarget } from '../browser/opener.js';
import type { Texts } from '../texts/texts.js';

/** What the customer did on the page that concerns no order. */
export type PageState = {
  /** Option id marked in the list. */
  readonly selected: string | null;
  /** Words that the options are searched for. */
  readonly search: string;
  readonly customer: Customer;
  readonly checking: boolean;
  /** The order's link was opened. */
  readonly opened: boolean;
  /** The browser refused to open it in a window. */
  readonly blocked: boolean;
  readonly offline: boolean;
  /** Which of a deposit's codes is shown. */
  readonly code: string | null;
  /** An address pasted back, to be compared. */
  readonly pasted: string;
  /** The customer said so of the tag. */
  readonly understood: boolean;
  /** The order was found at this browser: whoever sits here now may not have placed it. */
  readonly found: boolean;
  /** Another purchase on this page was ordered before, and may still be paid. */
  readonly earlier: boolean;
};

export type ViewContext = PageState & {
  readonly t: Texts;
  readonly locale: string;
  readonly money: (amount: string, currency: string) => string;
  /** A text, or the one of a map that fits the locale. */
  readonly label: (label: Label) => string;
  /** CSS pixels that a QR code may take. */
  readonly room: number;
  /** The relay's URL, without a slash at its end. */
  readonly relay: string;
  readonly linkSchemes: readonly string[];
  /** Milliseconds since the epoch, by the relay's clock. */
  readonly now: number;
  /** How a link leaves the page. */
  readonly way: OpenTarget;
  /** There are options to choose among. */
  readonly canChoose: boolean;
  /** The address is shown once the customer understood what its tag is for. */
  readonly tagGate: boolean;
  readonly actions: {
    select(option: string): void;
    search(text: string): void;
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
    showCode(code: string): void;
    paste(text: string): void;
    understand(): void;
  };
};

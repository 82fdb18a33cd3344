/** The argument of every view: texts, formatters, the state of the page and the handlers. */
import type { TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import type { Customer } from '../../relay/contract/requests.js';
import type { Label, PaymentOption } from '../../relay/contract/responses.js';
import type { Environment, OpenIn, OpenTarget } from '../browser/opener.js';
import type { State } from '../checkout/flow.js';
import type { TextTable } from '../texts/load-texts.js';
import type { MoneyPart } from '../texts/money.js';
import type { Texts } from '../texts/texts.js';
import type { Drawing } from './qr-drawing.js';
import type { MaybeAction, Screen } from './screen.js';

/** State of the page that does not belong to an order. */
export type PageState = {
  /** Id of the option that is selected in the list. */
  readonly selected: string | null;
  /** Text that the options are filtered by. */
  readonly search: string;
  readonly customer: Customer;
  /** The order is being queried. */
  readonly checking: boolean;
  /** The page is about to leave for the payment page. */
  readonly leaving: boolean;
  /** The order's link was opened. */
  readonly linkOpened: boolean;
  /** The browser refused to open the link in a popup window. */
  readonly popupBlocked: boolean;
  readonly offline: boolean;
  /** Id of the deposit's QR code that is shown. */
  readonly shownCode: string | null;
  /** Address that the customer pasted for comparison. */
  readonly pasted: string;
  /** The customer confirmed the warning about the tag. */
  readonly tagConfirmed: boolean;
  /** The order is from an earlier visit; another person may have placed it. */
  readonly fromEarlierVisit: boolean;
  /** The page showed another purchase before, whose order may still be paid. */
  readonly earlierPurchase: boolean;
};

export type ViewContext = PageState & {
  readonly t: Texts;
  readonly locale: string;
  /** The ways to pay that the relay offers. */
  readonly options: readonly PaymentOption[];
  /** The option of the order on screen; the relay may no longer offer it. */
  readonly orderOption: PaymentOption | null;
  /** Hosts of pictures, besides those of the page and the relay. */
  readonly imageHosts: readonly string[];
  /** Whether the device is a phone, which cannot scan a code on its own screen. */
  readonly onPhone: boolean;
  /** Whether the device has a touch screen: it then has the customer's banking and wallet apps. */
  readonly touch: boolean;
  readonly money: (amount: string, currency: string) => string;
  /** The amount in pieces; a line may break only between two of them. */
  readonly moneyParts: (amount: string, currency: string) => readonly MoneyPart[];
  /** Encodes a text as a QR code; null when the text is too long. */
  readonly draw: (text: string) => Drawing | null;
  readonly later: LaterOrNot;
  /** Chooses the text of a label for the locale. */
  readonly label: (label: Label) => string;
  /** Chooses an option's own words for the locale; undefined when no words are in its language. */
  readonly ownWords: (words: Label | undefined) => string | undefined;
  /** Largest width of a QR code, in CSS pixels. */
  readonly maxQrPx: number;
  /** The relay's URL, without a slash at its end. */
  readonly relay: string;
  readonly linkSchemes: readonly string[];
  /** The page's `return-url`; the relay has not checked it. */
  readonly returnUrl: string | null;
  /** Milliseconds since the epoch, by the relay's clock. */
  readonly now: number;
  /** Where a link opens. */
  readonly openTarget: OpenTarget;
  /** The offer has options. */
  readonly canChoose: boolean;
  /** A deposit address with a tag stays hidden until the customer confirms the tag's warning. */
  readonly tagGate: boolean;
  /** Time zone of the times on screen, which then name it; the default is the customer's zone. */
  readonly timeZone?: string;
  readonly actions: {
    select(option: string): void;
    search(text: string): void;
    setCustomer(customer: Customer): void;
    pay(option: string): void;
    /** Pays again with an option, or shows its form when it asks for contact data. */
    payAgain(option: PaymentOption): void;
    chooseAgain(): void;
    backToOrder(): void;
    checkNow(): void;
    retry(): void;
    restart(): void;
    /** Handles the click on a link. */
    openLink(event: Event, url: string, order: Order): void;
    /** Shows a text in the status line, which screen readers read out too. */
    showStatus(text: string): void;
    /** Tells a text to screen readers only. */
    speak(text: string): void;
    savePicture(drawn: Drawing): void;
    showCode(code: string): void;
    comparePasted(text: string): void;
    toggleTagConfirmed(): void;
  };
};

/**
 * The states that the second script can show. The first script shows two of them itself: a QR code
 * to scan, and options to choose from.
 */
export type LaterState = Exclude<State, { phase: 'waiting' | 'loading' | 'submitting' }>;

export type Later = {
  readonly screen: (view: ViewContext, state: LaterState) => Screen;
  /**
   * Tools that a customer seldom needs, for the folded list.
   *
   * @param code the QR code's text, when the order has one
   */
  readonly tools: (view: ViewContext, order: Order, code?: string) => readonly MaybeAction[];
  /** The tools of a QR code, with those for every order. */
  readonly codeTools: (view: ViewContext, order: Order, code: string) => readonly MaybeAction[];
  /** Shows a code that is too long for a picture. */
  readonly codeAsText: (view: ViewContext, code: string) => TemplateResult;
  /** A QR code that a tap enlarges, with the time to pay drawn around it. */
  readonly enlargeable: (view: ViewContext, code: CodeOnScreen) => TemplateResult;
  readonly copy: (view: ViewContext, button: HTMLButtonElement, task: CopyTask) => Promise<void>;
  /** A search field, and the options that match its text. */
  readonly search: (view: ViewContext) => SearchedOptions;
  /** Prevents the page from scrolling while a modal is open. */
  readonly lockScroll: (holder: object, locked: boolean) => void;
  /** Adds the second script's styles and listeners to an element. */
  readonly enter: (root: ShadowRoot) => void;
  readonly savePicture: (drawn: Drawing) => Promise<void>;
  readonly openTarget: (mode: OpenIn, environment: Environment) => OpenTarget;
  /** @returns false when the browser blocked the window */
  readonly openPopup: (url: string, again: boolean) => boolean;
  /** @returns the payment page to leave for without a second tap; null when there is none */
  readonly paymentPageOf: (state: State, target: OpenTarget) => PaymentPage | null;
  /** The English texts of the second script. */
  readonly texts: TextTable;
};

export type CodeOnScreen = {
  readonly drawn: Drawing;
  readonly description: string;
  readonly order: Order;
  readonly part: string;
};

export type CopyTask = {
  readonly value: string;
  /** Text of the button. */
  readonly words: string;
  /** Announced after the copy; the focus moves to the copy button of `part`. */
  readonly then?: { readonly words: string; readonly part: string } | undefined;
};

export type SearchedOptions = {
  readonly field: TemplateResult;
  readonly shown: readonly PaymentOption[];
  readonly hint: TemplateResult | null;
};

export type PaymentPage = { readonly url: string; readonly order: Order };

/** Null while the second script loads; `missing` when it has not come in time. */
export type LaterOrNot = Later | 'missing' | null;

/** An event at a listener on the element `T`; Lit does not check the types of listeners. */
export type EventOn<T extends Element> = Event & { readonly currentTarget: T };

/** An event of a text field; a field has no children, so the field itself is the target. */
export type FieldEvent = Event & { readonly target: HTMLInputElement };

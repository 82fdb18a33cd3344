/** The argument of every view: texts, formatters, the state of the page and the handlers. */
import type { Order } from '../../relay/contract/order.js';
import type { Customer } from '../../relay/contract/requests.js';
import type { Label, PaymentOption, Wallet } from '../../relay/contract/responses.js';
import type { OpenTarget } from '../browser/opener.js';
import type { Offer } from '../checkout/flow.js';
import type { MoneyPart } from '../texts/money.js';
import type { Texts } from '../texts/texts.js';
import type { Drawing } from './qr-drawing.js';

/** State of the page that does not belong to an order. */
export type PageState = {
  /** Id of the option that is selected in the list. */
  readonly selected: string | null;
  /** Text that the options or the wallets are filtered by. */
  readonly search: string;
  /** The wallets of the order's option; undefined until they load, null when they do not. */
  readonly wallets?: readonly Wallet[] | null | undefined;
  readonly customer: Customer;
  /** The order is being queried. */
  readonly checking: boolean;
  /** The page is about to leave for the payment page. */
  readonly leaving: boolean;
  /** The order's link was opened, and no popup was blocked since. */
  readonly linkOpened: boolean;
  /** The last tap on a link opened nothing: the page kept the screen and the focus. */
  readonly nothingOpened: boolean;
  /** The browser refused to open the link in a popup window. */
  readonly popupBlocked: boolean;
  readonly offline: boolean;
  /** The relay cannot be asked whether the order is paid. */
  readonly blind: boolean;
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
  readonly offer: Offer | null;
  /** The option of the order on screen; the relay may no longer offer it. */
  readonly orderOption: PaymentOption | null;
  /** Hosts of pictures, besides those of the page and the relay. */
  readonly imageHosts: readonly string[];
  /** Whether the device is a phone, which cannot scan a code on its own screen. */
  readonly onPhone: boolean;
  /** Whether the browser is one of Android, in which a link can name the app that opens it. */
  readonly android: boolean;
  /** Whether the device has a touch screen: it then has the customer's banking and wallet apps. */
  readonly touch: boolean;
  readonly money: (amount: string, currency: string) => string;
  /** An amount of a crypto asset, whose ticker may be the code of a currency too. */
  readonly asset: (amount: string, ticker: string) => string;
  /** The amount in pieces; a line may break only between two of them. */
  readonly moneyParts: (amount: string, currency: string) => readonly MoneyPart[];
  /** Encodes a text as a QR code; null when the text is too long. */
  readonly draw: (text: string) => Drawing | null;
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
  /** The page's `support-url`, for screens without an answer of the relay. */
  readonly supportUrl: string | undefined;
  /** Milliseconds since the epoch, by the relay's clock. */
  readonly now: number;
  /** Where a link opens. */
  readonly openTarget: OpenTarget;
  /** The offer has options. */
  readonly canChoose: boolean;
  /** A deposit address with a tag stays hidden until the customer confirms the tag's warning. */
  readonly tagGate: boolean;
  /** The zone of the times on screen, and how they name it; the default is the customer's zone. */
  readonly zone?: Pick<Intl.DateTimeFormatOptions, 'timeZone' | 'timeZoneName'>;
  readonly actions: {
    select(option: string): void;
    search(text: string): void;
    /** @param typed the fields that the customer has changed */
    setCustomer(typed: Customer): void;
    pay(option: string): void;
    /** Pays again with an option, or shows its form when it asks for contact data. */
    payAgain(option: PaymentOption): void;
    chooseAgain(): void;
    backToOrder(): void;
    checkNow(): void;
    retry(): void;
    restart(): void;
    /**
     * Handles the click on a link.
     *
     * @param wallet name of the wallet that the link opens
     */
    openLink(event: MouseEvent, url: string, order: Order, wallet?: string): void;
    loadWallets(option: string): void;
    /** Tells a text to screen readers only. */
    speak(text: string): void;
    showCode(code: string): void;
    comparePasted(text: string): void;
    toggleTagConfirmed(): void;
  };
};

/** An event at a listener on the element `T`; Lit does not check the types of listeners. */
export type EventOn<T extends Element> = Event & { readonly currentTarget: T };

/** An event of a text field; a field has no children, so the field itself is the target. */
export type FieldEvent = Event & { readonly target: HTMLInputElement };

/** `<pay-checkout>`: reads attributes, renders the view of the phase, dispatches events. */
import {
  LitElement,
  supportsAdoptingStyleSheets,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import type { Order } from '../relay/contract/order.js';
import type { Customer } from '../relay/contract/requests.js';
import type { OpenIn } from './browser/opener.js';
import { withStyleElement } from './browser/page-sheet.js';
import { orderOf, type Phase } from './checkout/flow.js';
import { SUBJECT_PROPERTIES } from './checkout/read-subject.js';
import { CheckoutController } from './element/checkout-controller.js';
import { reflectInForm } from './element/form-field.js';
import { listenOn } from './element/listeners.js';
import { createModal } from './element/modal.js';
import { setOnAccent } from './element/on-accent.js';
import { isPhaseAttribute, writePhase } from './element/phase-attributes.js';
import { createScreenChange } from './element/screen-change.js';
import { updateSafely } from './element/unsupported.js';
import type { Problem } from './problem.js';
import type { Fetch } from './relay-client.js';
import { elementStyles } from './styles/index.js';
import { card, modalCard } from './views/card.js';

/** Vue writes the value of `:tag-gate="false"` as the text of the attribute. */
const isOn = (text: string | null): boolean => text !== null && text !== 'false';

/**
 * Offers the ways to pay, shows what the customer must do, and follows the order to its end.
 *
 * @fires {PayPhaseEvent} pay-phase - The phase changed.
 * @fires {PayOrderEvent} pay-order - An order was placed, or was restored after a reload.
 * @fires {PayStatusEvent} pay-status - The status or the outcome of the order changed.
 * @fires {PaySucceededEvent} pay-succeeded - The relay reports that the order is paid.
 * @fires {PayFailedEvent} pay-failed - The order failed; it may still succeed.
 * @fires {PayExpiredEvent} pay-expired - The order expired; it may still succeed.
 * @fires {PayDepositAddressEvent} pay-deposit-address - A deposit address is shown.
 * @fires {PayRedirectEvent} pay-redirect - A link is about to be opened; cancelable.
 * @fires {PayOpenEvent} pay-open - A link opens now; an app around the page may open it instead.
 * @fires {PayTokenNeededEvent} pay-token-needed - The page must set a new `order-token` or
 *   `deposit-token`.
 * @fires {PayProblemEvent} pay-problem - A problem is shown.
 * @fires {PayCloseEvent} pay-close - The modal was closed.
 * @csspart base - The card.
 * @csspart summary - The product and the amount.
 * @csspart amount - The amount to pay.
 * @csspart options - The list of payment options.
 * @csspart option - One payment option.
 * @csspart form - The form with the options and the customer's contact data.
 * @csspart qr - The picture of a QR code.
 * @csspart link-qr - The picture of a link, for the customer's phone.
 * @csspart address - The deposit address.
 * @csspart tag - The tag of a deposit.
 * @csspart copy - A button that copies a value.
 * @csspart link - The link to the payment page or the wallet.
 * @csspart wallet - The link of one bank or wallet in the sheet of them.
 * @csspart status - The title, for screen readers only.
 * @csspart reference - The reference of a payment that the shop must check.
 * @csspart problem - The description of a problem.
 * @csspart actions - The buttons of a phase.
 * @cssproperty --pay-accent - Colour of the main button.
 * @cssproperty --pay-on-accent - Colour of text on the accent colour; computed when it is not set.
 * @cssproperty --pay-ink - Colour of text.
 * @cssproperty --pay-link - Colour of links and text buttons.
 * @cssproperty --pay-danger - Colour of errors.
 * @cssproperty --pay-muted - Colour of secondary text.
 * @cssproperty --pay-line - Colour of borders.
 * @cssproperty --pay-paper - Background of the card.
 * @cssproperty --pay-tint - Background of selected and hovered controls.
 * @cssproperty --pay-good - Colour of success.
 * @cssproperty --pay-note - Colour of warnings.
 * @cssproperty --pay-radius - Corner radius of the card; its fields and buttons derive theirs.
 * @cssproperty --pay-font - Font family.
 * @cssproperty --pay-font-size - Size of text, a length in `px` or `rem`; every size follows it.
 */
export class PayCheckout extends LitElement {
  static override styles = supportsAdoptingStyleSheets ? elementStyles : [];
  static readonly formAssociated = true;
  static override properties: PropertyDeclarations = {
    relay: {},
    orderToken: { attribute: 'order-token' },
    sku: {},
    quantity: {},
    amount: {},
    currency: {},
    payCurrency: { attribute: 'pay-currency' },
    productName: { attribute: 'product-name' },
    remark: {},
    customerRefId: { attribute: 'customer-ref-id' },
    returnUrl: { attribute: 'return-url' },
    supportUrl: { attribute: 'support-url' },
    option: {},
    openIn: { attribute: 'open-in', useDefault: true },
    deposit: {},
    depositToken: { attribute: 'deposit-token' },
    display: { useDefault: true },
    locale: {},
    theme: { reflect: true, useDefault: true },
    tagGate: { converter: isOn, attribute: 'tag-gate' },
    name: { reflect: true },
    required: { type: Boolean, converter: isOn, reflect: true },
    customer: { attribute: false },
    fetch: { attribute: false },
    phase: { noAccessor: true },
    outcome: { noAccessor: true },
  };

  /** URL of the relay; default: what the script tag or the page names, else `/pay`. */
  relay: string | null = null;
  /** Token, signed by the shop's backend, that names what is charged. */
  orderToken!: string | null;
  /** Item of the relay's catalogue. */
  sku!: string | null;
  /** Number of items of `sku`. */
  quantity!: string | null;
  /** Amount to charge without a token or catalogue, as a decimal string. */
  amount!: string | null;
  /** Currency of `amount`. */
  currency!: string | null;
  /** Currency or asset to pay with. */
  payCurrency!: string | null;
  /** Name of the product that `amount` pays for. */
  productName!: string | null;
  /** Detail shown below the product. */
  remark!: string | null;
  /** The shop's identifier of the customer. */
  customerRefId!: string | null;
  /** URL to which a payment page returns the customer. */
  returnUrl!: string | null;
  /** URL where the customer finds help, for what is shown before the relay has answered. */
  supportUrl: string | null = null;
  /** Id of the option that is selected first. */
  option: string | null = null;
  /** How a payment page opens: `auto`, `new-tab`, `same-tab` or `popup`. */
  openIn: OpenIn = 'auto';
  /** Currency of the deposit address to show. */
  deposit!: string | null;
  /** Token, signed by the shop's backend, that permits a deposit address. */
  depositToken!: string | null;
  /** Where the card is shown: `inline` in the page, or `modal` in a dialog. */
  display: 'inline' | 'modal' = 'inline';
  /** BCP 47 tag of the language; defaults to the language of the page. */
  locale: string | null = null;
  /** Colour scheme: `auto` (that of the page), `light` or `dark`. */
  theme: 'auto' | 'light' | 'dark' = 'auto';
  /** Hides a deposit address with a tag until the customer confirms the warning about the tag. */
  tagGate = false;
  /** Name of the form field whose value is the `request_id`. */
  name: string | null = null;
  /** Makes the form field invalid until the order is paid. */
  required = false;
  /** Contact data that an option may ask for; what the customer types replaces it in the form. */
  customer: Customer = {};
  /** Sends the requests to the relay; replaces `window.fetch`, for example in tests. */
  fetch: Fetch | undefined;

  private readonly internals: ElementInternals | undefined = this.attachInternals?.();
  private readonly modal = createModal(this);
  private readonly controller = new CheckoutController(this);
  private readonly screenChange = createScreenChange(
    (selector) => this.shadowRoot?.querySelector(selector) ?? null,
  );

  constructor() {
    super();
    for (const name of SUBJECT_PROPERTIES) this[name] = null;
    listenOn(this, this.screenChange);
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    if (!isPhaseAttribute(name)) return super.attributeChangedCallback(name, old, value);
    // Not at once: a page that removes the attribute each time would stop in an endless loop.
    if (value !== this[name as 'phase' | 'outcome']) setTimeout(() => writePhase(this, this));
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    if (!supportsAdoptingStyleSheets && root instanceof ShadowRoot)
      withStyleElement(elementStyles.join(''), root);
    return root;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.modal.left();
  }

  override performUpdate(): void {
    // Templates put spaces and line breaks around a value, and a framework may set a number.
    for (const name of PayCheckout.elementProperties.keys()) {
      const value: unknown = Reflect.get(this, name);
      const text = /^(string|number)$/.test(typeof value) ? String(value).trim() : value;
      // a property that is set without a change would write its default as an attribute
      if (text !== value) Reflect.set(this, name, text);
    }
    updateSafely(this, this.controller, () => super.performUpdate());
  }

  override willUpdate(changed: PropertyValues<this>): void {
    this.screenChange.before();
    this.controller.hostWillUpdate(changed);
  }

  override updated(): void {
    const find = (selector: string): HTMLElement | null => this.renderRoot.querySelector(selector);
    // The card that a server rendered stays until this element has a screen (server/render.ts).
    if (find('.screen')) find('.declared')?.remove();
    writePhase(this, this);
    reflectInForm(this, this.internals, this.controller.state.flow, {
      name: this.name,
      required: this.required,
      sentence: this.controller.texts()('must_pay'),
      anchor: find('.anchor'),
    });
    setOnAccent(find('.primary'));
    this.modal.rendered();
    this.screenChange.after();
  }

  /** Phase of the checkout; read-only. The attribute appears with the first answer. */
  get phase(): Phase {
    return this.controller.state.flow.phase;
  }

  /** Outcome of the order; read-only. */
  get outcome(): string | null {
    return orderOf(this.controller.state.flow)?.outcome ?? null;
  }

  /** The last order of this purchase, also while a problem is shown; null before there is one. */
  get order(): Order | null {
    return this.controller.state.order;
  }

  /** The problem that is shown; null when there is none. */
  get problem(): Problem | null {
    return this.controller.problem();
  }

  /** Opens the modal. */
  show(): void {
    this.modal.show();
  }

  /** Closes the modal; the order is kept. */
  close(): void {
    this.modal.close();
  }

  /** Discards the attempt and starts a new one. */
  restart(): void {
    this.controller.restart();
  }

  /** Queries the order immediately. */
  async checkNow(): Promise<void> {
    await this.controller.checkNow();
  }

  /** Shows that the shop has received the deposit; it does not make an order succeed. */
  markReceived(): void {
    this.controller.state.checkout?.markReceived();
  }

  override render(): TemplateResult {
    const view = this.controller.view();
    const content = this.controller.content();
    if (this.display !== 'modal') return card(view, content);
    return modalCard(view, content, this.modal);
  }
}

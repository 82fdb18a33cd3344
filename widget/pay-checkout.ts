/** `<pay-checkout>`: attributes in, the phase's view, events out. */
import {
  LitElement,
  html,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import type { Customer } from '../relay/contract/requests.js';
import type { State } from './checkout/flow.js';
import { INTENT_PROPERTIES, attributeOf } from './element/attributes.js';
import { reflectInForm } from './element/form-field.js';
import { lockScroll } from './element/scroll-lock.js';
import { createSession } from './element/session.js';
import { PayCloseEvent } from './events.js';
import type { OpenIn } from './browser/opener.js';
import type { Fetch } from './relay-client.js';
import { styles } from './styles/styles.js';
import { renderPhase } from './views/index.js';
import { skeleton } from './views/loading.js';
import { statusText, summary } from './views/summary.js';

/**
 * A checkout: offers the ways to pay, shows what the customer must do, and follows the order until
 * its status changes.
 *
 * @event {PayPhaseEvent} pay-phase - The phase changed.
 * @event {PayOrderEvent} pay-order - An order came to stand, or came back.
 * @event {PayStatusEvent} pay-status - The order's status or outcome changed.
 * @event {PaySucceededEvent} pay-succeeded - The relay says that the order is paid.
 * @event {PayFailedEvent} pay-failed - The order failed; it may still succeed.
 * @event {PayExpiredEvent} pay-expired - The order expired; it may still succeed.
 * @event {PayDepositAddressEvent} pay-deposit-address - A deposit address is shown.
 * @event {PayRedirectEvent} pay-redirect - A link is about to be opened; cancelable.
 * @event {PayTokenNeededEvent} pay-token-needed - Set a fresh order-token.
 * @event {PayProblemEvent} pay-problem - The customer reads a problem.
 * @event {PayCloseEvent} pay-close - The modal was closed.
 * @csspart base - The card. @csspart summary - Product and amount. @csspart amount @csspart
 *   options @csspart option @csspart form
 * @csspart qr @csspart address @csspart tag @csspart copy @csspart link @csspart status @csspart
 *   problem @csspart actions
 */
export class PayCheckout extends LitElement {
  static override styles = styles;
  static readonly formAssociated = true;
  static override properties: PropertyDeclarations = {
    ...Object.fromEntries(
      [...INTENT_PROPERTIES, 'option', 'openIn', 'display', 'locale'].map((name) => [
        name,
        { attribute: attributeOf(name) },
      ]),
    ),
    tagGate: { type: Boolean, attribute: 'tag-gate' },
    required: { type: Boolean, reflect: true },
    theme: { reflect: true },
    name: { reflect: true },
    phase: { reflect: true },
    outcome: { reflect: true },
    customer: { attribute: false },
    fetch: { attribute: false },
  };

  /** The relay's URL; else `data-relay` on the script tag, else the script's directory. */
  relay: string | null = null;
  /** What may be charged, signed by the shop's backend. */
  orderToken: string | null = null;
  /** An item of the relay's catalogue. */
  sku: string | null = null;
  /** How many of `sku`. */
  quantity: string | null = null;
  /** An open amount, a decimal string. */
  amount: string | null = null;
  /** Currency of `amount`. */
  currency: string | null = null;
  /** Currency or asset to pay with. */
  payCurrency: string | null = null;
  /** What is paid for, beside `amount`. */
  productName: string | null = null;
  /** Detail shown below the product. */
  remark: string | null = null;
  /** The shop's identifier of the customer. */
  customerRefId: string | null = null;
  /** Where a payment page leads back to. */
  returnUrl: string | null = null;
  /** Option that is marked first. */
  option: string | null = null;
  /** How a payment page is opened: `auto`, `new-tab`, `same-tab` or `popup`. */
  openIn: OpenIn = 'auto';
  /** Currency of a deposit address. */
  deposit: string | null = null;
  /** Who may have a deposit address, signed by the shop's backend. */
  depositToken: string | null = null;
  /** `inline` or `modal`. */
  display: 'inline' | 'modal' = 'inline';
  /** A BCP 47 tag; else the page's. */
  locale: string | null = null;
  /** `auto`, `light` or `dark`. */
  theme: 'auto' | 'light' | 'dark' = 'auto';
  /**
   * The address of a deposit with a tag is shown once the customer said to understand what the tag
   * is for.
   */
  tagGate = false;
  /** Inside a form: the field's name, whose value is the request_id. */
  name: string | null = null;
  /** Inside a form: invalid until paid. */
  required = false;
  /** Contact data that an option may ask for. */
  customer: Customer = {};
  /** Carries the requests to the relay; tests and pages without a network give their own. */
  fetch: Fetch | undefined;

  /** Where the flow stands. Read only. */
  phase: State['phase'] = 'loading';
  /** Our reading of the order's status. Read only. */
  outcome: string | null = null;

  private focused: Element | null = null;
  private readonly internals = this.attachInternals();
  private readonly session = createSession(this);

  constructor() {
    super();
    // a form asks for the payment: what it points at must be there to see
    this.addEventListener('invalid', () => this.show());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.session.connect();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // open and no longer modal it would be, were it left open
    this.close();
    lockScroll(this, false);
    // moved within the page it is back at once, and goes on as it was
    queueMicrotask(() => this.isConnected || this.session.disconnect());
  }

  override willUpdate(changed: PropertyValues<this>): void {
    this.focused = this.shadowRoot?.activeElement ?? null;
    if (!this.hasUpdated || changed.has('locale') || changed.has('relay'))
      this.session.loadLocale();
    const anew = !this.session.begun() || INTENT_PROPERTIES.some((name) => changed.has(name));
    if (this.isConnected && anew) this.session.begin();
  }

  override updated(): void {
    const { flow, texts } = this.session;
    reflectInForm(this.internals, flow(), {
      required: this.required,
      sentence: texts()('must_pay'),
      anchor: this.base,
    });
    // what had the focus went with its phase
    if (this.focused && !this.focused.isConnected) this.base?.focus({ preventScroll: true });
  }

  /** Opens the modal. */
  show(): void {
    if (this.display !== 'modal' || this.dialog?.open) return;
    this.dialog?.showModal();
    lockScroll(this, true);
  }

  /** Closes the modal; the order is kept. */
  close(): void {
    this.dialog?.close();
  }

  /** Forgets the attempt and begins anew. */
  restart(): void {
    this.session.restart();
  }

  /** Asks about the order at once. */
  async checkNow(): Promise<void> {
    await this.session.checkNow();
  }

  /** The shop has seen the deposit: says so. Never raises success of an order. */
  markReceived(): void {
    this.session.markReceived();
  }

  private get dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector<HTMLDialogElement>('dialog.modal');
  }

  private get base(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('.base');
  }

  override render(): TemplateResult {
    const { announcement, flow, spoken, view, words } = this.session;
    const context = view();
    const state = flow();
    const offer = 'offer' in state ? state.offer : null;
    const order = 'order' in state ? state.order : null;
    const ready = words.ready();
    const busy = !ready || state.phase === 'loading' || state.phase === 'submitting';
    const card = html`<section
      part="base"
      class="base"
      tabindex="-1"
      dir=${words.direction()}
      lang=${words.locale()}
    >
      ${ready ? summary(context, offer, order) : ''}
      <div class="phase" aria-busy=${busy}>${ready ? renderPhase(context, state) : skeleton}</div>
      <p
        part="status"
        class=${announcement() ? 'status' : 'unseen'}
        role="status"
        aria-live="polite"
      >
        ${ready ? announcement() || statusText(context, state.phase) : ''}
      </p>
      <p class="unseen" aria-live="polite" data-spoken>${spoken()}</p>
    </section>`;
    if (this.display !== 'modal') return card;
    return html`<dialog
      class="modal"
      aria-label=${offer?.product_name || context.t('loading')}
      @close=${() => this.closed()}
    >
      ${card}<button
        type="button"
        class="quiet close"
        aria-label=${context.t('close')}
        @click=${() => this.close()}
      >
        ×
      </button>
    </dialog>`;
  }

  private closed(): void {
    lockScroll(this, false);
    this.dispatchEvent(new PayCloseEvent(null));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-checkout': PayCheckout;
  }
}

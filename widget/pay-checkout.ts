/** `<pay-checkout>`: attributes in, the phase's view, events out. */
import { LitElement, html, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import type { Customer } from '../relay/contract/requests.js';
import { eventsOf } from './announce-change.js';
import { askedCustomer } from './checkout/asked-customer.js';
import { createCheckout, type Checkout } from './checkout/checkout.js';
import type { State } from './checkout/flow.js';
import { readSubject } from './checkout/read-subject.js';
import { PayCloseEvent, PayRedirectEvent } from './events.js';
import type { ViewContext } from './fragments/view-context.js';
import { createAttempts } from './page/attempts.js';
import { scriptRelay } from './page/script-relay.js';
import { browserPage } from './page/visibility.js';
import { createRelayClient, type Fetch } from './relay-client.js';
import { styles } from './styles/styles.js';
import { labelIn } from './texts/label.js';
import { formatMoney } from './texts/money.js';
import { createTexts } from './texts/texts.js';
import { renderPhase } from './views/index.js';
import { statusText, summary } from './views/summary.js';

/** Read when the script runs; a page with the ESM build names the relay by attribute. */
const RELAY_OF_SCRIPT = scriptRelay();

const INTENT_PROPERTIES = [
  'relay',
  'orderToken',
  'sku',
  'quantity',
  'amount',
  'currency',
  'payCurrency',
  'productName',
  'remark',
  'customerRefId',
  'returnUrl',
  'deposit',
  'depositToken',
] as const;

/**
 * A checkout: offers the ways to pay, shows what the customer must do, and follows the order until its status changes.
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
 * @csspart base - The card. @csspart summary - Product and amount. @csspart amount @csspart options @csspart option @csspart form
 * @csspart qr @csspart address @csspart tag @csspart copy @csspart link @csspart status @csspart problem @csspart actions
 */
export class PayCheckout extends LitElement {
  static override styles = styles;

  /** The relay's URL; else `data-relay` on the script tag, else the script's directory. */
  @property() relay: string | null = null;
  /** What may be charged, signed by the shop's backend. */
  @property({ attribute: 'order-token' }) orderToken: string | null = null;
  /** An item of the relay's catalogue. */
  @property() sku: string | null = null;
  /** How many of `sku`. */
  @property() quantity: string | null = null;
  /** An open amount, a decimal string. */
  @property() amount: string | null = null;
  /** Currency of `amount`. */
  @property() currency: string | null = null;
  /** Currency or asset to pay with. */
  @property({ attribute: 'pay-currency' }) payCurrency: string | null = null;
  /** What is paid for, beside `amount`. */
  @property({ attribute: 'product-name' }) productName: string | null = null;
  /** Detail shown below the product. */
  @property() remark: string | null = null;
  /** The shop's identifier of the customer. */
  @property({ attribute: 'customer-ref-id' }) customerRefId: string | null = null;
  /** Where a payment page leads back to. */
  @property({ attribute: 'return-url' }) returnUrl: string | null = null;
  /** Option that is marked first. */
  @property() option: string | null = null;
  /** Currency of a deposit address. */
  @property() deposit: string | null = null;
  /** Who may have a deposit address, signed by the shop's backend. */
  @property({ attribute: 'deposit-token' }) depositToken: string | null = null;
  /** `inline` or `modal`. */
  @property() display: 'inline' | 'modal' = 'inline';
  /** A BCP 47 tag; else the page's. */
  @property() locale: string | null = null;
  /** `auto`, `light` or `dark`. */
  @property({ reflect: true }) theme: 'auto' | 'light' | 'dark' = 'auto';
  /** Contact data that an option may ask for. */
  @property({ attribute: false }) customer: Customer = {};
  /** Carries the requests to the relay; tests and pages without a network give their own. */
  @property({ attribute: false }) fetch: Fetch | undefined;

  /** Where the flow stands. Read only. */
  @property({ reflect: true }) phase: State['phase'] = 'loading';
  /** Our reading of the order's status. Read only. */
  @property({ reflect: true }) outcome: string | null = null;

  @state() private flow: State = { phase: 'loading' };
  @state() private selected: string | null = null;
  @state() private checking = false;
  @state() private announcement = '';
  @query('dialog') private dialog!: HTMLDialogElement | null;

  private checkout: Checkout | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.checkout?.stop();
    this.checkout = null;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!INTENT_PROPERTIES.some((name) => changed.has(name)) && this.checkout) return;
    if (this.isConnected && (!this.hasUpdated || INTENT_PROPERTIES.some((name) => changed.has(name)))) this.begin();
  }

  /** Opens the modal. */
  show(): void {
    if (this.display === 'modal' && !this.dialog?.open) this.dialog?.showModal();
  }

  /** Closes the modal; the order is kept. */
  close(): void {
    this.dialog?.close();
  }

  /** Forgets the attempt and begins anew. */
  restart(): void {
    if (this.checkout) this.checkout.restart();
    else this.begin();
  }

  /** Asks about the order at once. */
  async checkNow(): Promise<void> {
    this.checking = true;
    await this.checkout?.checkNow();
    this.checking = false;
  }

  /** The shop has seen the deposit: says so. Never raises success of an order. */
  markReceived(): void {
    this.checkout?.markReceived();
  }

  private begin(): void {
    const previous = this.flow;
    this.checkout?.stop();
    this.checkout = null;
    if (this.hasUpdated && 'order' in previous && previous.order && previous.phase !== 'succeeded')
      console.warn('pay-checkout: what is to be paid was changed; the earlier order may still be paid', previous.order.request_id);
    const relay = (this.relay ?? RELAY_OF_SCRIPT)?.replace(/\/+$/, '');
    if (relay === undefined) return this.refuse('relay', 'is required: no script tag names the relay');
    const read = readSubject(this);
    if ('wrong' in read) return this.refuse(read.wrong.attribute, read.wrong.message);
    this.checkout = createCheckout({
      client: createRelayClient(relay, this.fetch),
      subject: read.subject,
      attempts: createAttempts(`${relay} ${JSON.stringify(read.subject)}`),
      page: browserPage,
      onState: (now, before) => this.take(now, before),
    });
    this.checkout.start();
  }

  private refuse(attribute: string, message: string): void {
    console.error(`<pay-checkout> ${attribute}: ${message}`);
    const problem = { code: 'attributes_wrong', message: `${attribute}: ${message}`, field: attribute } as const;
    this.take({ phase: 'problem', problem, offer: null }, this.flow);
  }

  private take(now: State, before: State | null): void {
    this.flow = now;
    this.announcement = '';
    this.phase = now.phase;
    this.outcome = 'order' in now ? (now.order?.outcome ?? null) : null;
    // after the view: a listener sees the page as the customer does
    void this.updateComplete.then(() => {
      for (const event of eventsOf(now, before)) this.dispatchEvent(event);
    });
  }

  private get view(): ViewContext {
    const locale = this.locale ?? (this.closest('[lang]')?.getAttribute('lang') || 'en');
    const t = createTexts();
    return {
      t,
      locale,
      money: (amount, currency) => formatMoney(amount, currency, locale),
      label: (label) => labelIn(label, locale),
      linkSchemes: 'offer' in this.flow ? (this.flow.offer?.link_schemes ?? []) : [],
      selected: this.selected ?? this.option,
      customer: this.customer,
      checking: this.checking,
      actions: {
        select: (option) => (this.selected = option),
        setCustomer: (customer) => (this.customer = customer),
        pay: (option) => this.checkout?.choose(option, askedCustomer(this.flow, option, this.customer)),
        chooseAgain: () => this.checkout?.chooseAgain(),
        backToOrder: () => this.checkout?.backToOrder(),
        checkNow: () => void this.checkNow(),
        retry: () => (this.checkout ? this.checkout.retry() : this.begin()),
        restart: () => this.restart(),
        opening: (event, url, order) => {
          if (!this.dispatchEvent(new PayRedirectEvent({ url, order }))) event.preventDefault();
        },
        announce: (text) => (this.announcement = text),
      },
    };
  }

  override render(): TemplateResult {
    const view = this.view;
    const card = html`<section part="base" class="base" aria-busy=${this.flow.phase === 'loading' || this.flow.phase === 'submitting'}>
      ${summary(view, 'offer' in this.flow ? this.flow.offer : null)}
      <div class="phase">${renderPhase(view, this.flow)}</div>
      <p part="status" class=${this.announcement ? 'status' : 'visually-hidden'} role="status" aria-live="polite">
        ${this.announcement || statusText(view, this.flow.phase)}
      </p>
    </section>`;
    if (this.display !== 'modal') return card;
    return html`<dialog @close=${() => this.dispatchEvent(new PayCloseEvent())}>
      ${card}<button type="button" class="quiet close" aria-label=${view.t('close')} @click=${() => this.close()}>×</button>
    </dialog>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-checkout': PayCheckout;
  }
}

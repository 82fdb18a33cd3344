/**
 * Medusa's payment provider for pay-checkout: signs order tokens, asks the relay about payments and
 * closes intents. Its id is `pp_pay-checkout_pay-checkout`.
 */
import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  BigNumberInput,
  CancelPaymentInput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  Logger,
  PaymentProviderInput,
  PaymentProviderOutput,
  ProviderWebhookPayload,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types';
import { AbstractPaymentProvider, MathBN, MedusaError } from '@medusajs/framework/utils';
import {
  closeIntent,
  EventError,
  fetchOrder,
  RelayError,
  signOrderToken,
  verifyEvent,
  type EventHeaders,
  type RelayAccess,
} from 'pay-checkout/shop';
import { actionOf, currencyOf, isSession, placesOf, statusOf } from '../../mapping.js';
import { missingOptions, readMode, type ProviderOptions } from '../../options.js';
import { isNoted, type Database } from '../../refunds.js';

/** What the provider reads from a payment session. The storefront can read it too: no secrets. */
type SessionIntent = { intent_id: string; amount: string; currency: string };

type Fetched = {
  status: ReturnType<typeof statusOf>;
  /** Absent when no order was placed yet, or when the intent is closed. */
  order?: Awaited<ReturnType<typeof fetchOrder>>['order'];
};

const TOKEN_LIFETIME_S = 86_400;

const refuse = (message: string): MedusaError =>
  new MedusaError(MedusaError.Types.NOT_ALLOWED, message);

/**
 * The amount, rounded to the currency's decimal places as Medusa does at a capture. All digits are
 * kept when the places are unknown.
 */
function moneyOf(amount: BigNumberInput, code: string): Omit<SessionIntent, 'intent_id'> {
  const currency = currencyOf(code);
  const exact = MathBN.convert(amount);
  const places = placesOf(currency);
  return { amount: places === undefined ? exact.toFixed() : exact.toFixed(places), currency };
}

export class PayCheckoutProvider extends AbstractPaymentProvider<ProviderOptions> {
  static override identifier = 'pay-checkout';

  static override validateOptions(options: Partial<ProviderOptions>): void {
    const missing = missingOptions(options);
    if (missing.length > 0)
      throw new MedusaError(
        MedusaError.Types.INVALID_ARGUMENT,
        `pay-checkout needs these options too: ${missing.join(', ')}`,
      );
    readMode(options.livemode);
  }

  readonly #database: Database;
  readonly #logger: Logger;

  constructor(
    container: { logger: Logger; __pg_connection__: Database },
    options: ProviderOptions,
  ) {
    super(container, options);
    this.#database = container.__pg_connection__;
    this.#logger = container.logger;
  }

  /** Signs what the customer is to pay. The storefront gives `order_token` to the element. */
  async initiatePayment({
    amount,
    context,
    currency_code,
    data,
  }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    // Medusa overwrites session_id with the real id, so the storefront cannot choose it
    const intentId = data?.session_id;
    if (typeof intentId !== 'string')
      throw refuse('pay-checkout: Medusa gave no id of the payment session');
    const asked = { ...moneyOf(amount, currency_code), intent_id: intentId };
    const { productName, relay, tokenKey } = this.config;
    const order_token = await signOrderToken(
      {
        aud: relay,
        jti: intentId,
        amount: asked.amount,
        currency: asked.currency,
        product_name: productName,
        customer_ref_id: context?.customer?.id ?? intentId,
        expires_in: TOKEN_LIFETIME_S,
      },
      tokenKey,
    );
    return { id: intentId, status: 'pending', data: { ...asked, order_token, relay } };
  }

  /** One intent has one amount, so another amount needs a payment session of its own. */
  async updatePayment({
    amount,
    currency_code,
    data,
  }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const asked = this.#read(data);
    const wanted = moneyOf(amount, currency_code);
    if (wanted.amount !== asked.amount || wanted.currency !== asked.currency)
      throw refuse('pay-checkout: create a new payment session for another amount');
    return { data };
  }

  /** Asks the relay; what the browser says about a payment proves nothing. */
  async authorizePayment({
    context,
    data,
  }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const asked = this.#read(data);
    // Medusa passes the session's id as idempotency_key; without this check the order of another
    // session could pay this one
    if (asked.intent_id !== context?.idempotency_key)
      throw refuse('pay-checkout: the payment session has the intent of another session');
    const { order, status } = await this.#fetch(asked);
    if (order && (await isNoted(this.#database, order.request_id)))
      throw refuse('pay-checkout: the payment of this session is to be paid back');
    return {
      status,
      data: { ...data, ...(order && { request_id: order.request_id, order_no: order.order_no }) },
    };
  }

  /** The service captures at once, so this only checks that the money is there. */
  async capturePayment({ data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const { status } = await this.#fetch(this.#read(data));
    if (status !== 'captured') throw refuse('pay-checkout: the customer has not paid yet');
    return { data };
  }

  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const { status } = await this.#fetch(this.#read(data));
    return { status, data };
  }

  async retrievePayment({ data }: PaymentProviderInput): Promise<PaymentProviderOutput> {
    const { order } = await this.#fetch(this.#read(data));
    return { data: { ...data, ...(order && { order }) } };
  }

  /** @throws MedusaError because the order service has no refund */
  async refundPayment(): Promise<never> {
    throw refuse(
      'pay-checkout: the order service has no refund. Pay the customer back yourself, for example' +
        ' with a payout, and record that outside of this payment',
    );
  }

  async cancelPayment({ data }: CancelPaymentInput): Promise<PaymentProviderOutput> {
    await this.#close(this.#read(data).intent_id, 'the payment was canceled');
    return { data };
  }

  /** Medusa deletes a session when the cart changes: nobody may pay the former amount any more. */
  async deletePayment({ data }: DeletePaymentInput): Promise<PaymentProviderOutput> {
    // A session whose creation failed has nothing that a customer could pay. Then Medusa passes
    // what the storefront sent, which may name an intent of another system.
    if (data?.order_token === undefined) return { data };
    const { intent_id } = this.#read(data);
    if (isSession(intent_id)) await this.#close(intent_id, 'the payment session was deleted');
    return { data };
  }

  /** Medusa's route `/hooks/payment/pay-checkout_pay-checkout` calls this for each event. */
  async getWebhookActionAndData({
    headers,
    rawData,
  }: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    try {
      const { eventsSecret, livemode } = this.config;
      const event = await verifyEvent(rawData, headers as EventHeaders, eventsSecret);
      if (livemode === undefined || event.data.livemode === livemode) return actionOf(event);
      this.#logger.warn(`pay-checkout: the event ${event.id} of another mode was not handled`);
      return { action: 'not_supported' };
    } catch (error) {
      if (!(error instanceof EventError)) throw error;
      this.#logger.warn(`pay-checkout: refused an event: ${error.code}`);
      return { action: 'not_supported' };
    }
  }

  #read(data: Record<string, unknown> | undefined): SessionIntent {
    const { amount, currency, intent_id } = data ?? {};
    if (typeof amount !== 'string' || typeof currency !== 'string' || typeof intent_id !== 'string')
      throw refuse('pay-checkout: this is not the data of a payment session of pay-checkout');
    return { amount, currency, intent_id };
  }

  get #access(): RelayAccess {
    return { relay: this.config.relay, secret_key: this.config.secretKey };
  }

  /** @throws MedusaError when the order has another amount, currency or mode than it must have */
  async #fetch({ amount, currency, intent_id }: SessionIntent): Promise<Fetched> {
    const options = { expect: { amount, currency }, livemode: this.config.livemode };
    try {
      const { order } = await fetchOrder(this.#access, { intent_id }, options);
      return { order, status: statusOf(order) };
    } catch (error) {
      const code = error instanceof RelayError ? error.code : '';
      if (code === 'order_unknown') return { status: 'pending' };
      if (code === 'intent_closed') return { status: 'canceled' };
      if (code === 'not_as_expected' || code === 'wrong_mode')
        throw refuse(`pay-checkout: ${String(error)}`);
      throw error;
    }
  }

  /** @throws MedusaError when the relay does not close the intent, such as a paid one */
  async #close(intent_id: string, reason: string): Promise<void> {
    try {
      await closeIntent(this.#access, { intent_id, reason });
    } catch (error) {
      if (await this.#isToBePaidBack(intent_id, error)) return;
      throw refuse(`pay-checkout: ${intent_id} was not closed: ${String(error)}`);
    }
  }

  /**
   * Whether the relay never closes the intent, because the only order that paid it had been
   * resolved as failed by a person. Nothing completes the cart by it, and its event notes the
   * refund. A later payment of a deleted session is noted as a refund too.
   */
  async #isToBePaidBack(intent_id: string, error: unknown): Promise<boolean> {
    if (!(error instanceof RelayError) || error.code !== 'already_paid') return false;
    const found = await fetchOrder(this.#access, { intent_id }).catch(() => null);
    return found?.order.outcome === 'succeeded' && found.order.resolved_as === 'failed';
  }
}

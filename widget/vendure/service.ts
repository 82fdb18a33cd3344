/**
 * Signs order tokens for Vendure's orders, settles their payments when the relay says that they are
 * paid, and closes what may not be paid any more.
 */
import { Inject, Injectable } from '@nestjs/common';
import {
  ConfigService,
  isGraphQlErrorResult,
  Logger,
  OrderService,
  orderTotalIsCovered,
  Payment,
  RequestContextService,
  totalCoveredByPayments,
  TransactionalConnection,
  type CancelPaymentErrorResult,
  type CancelPaymentResult,
  type CreatePaymentErrorResult,
  type CreatePaymentResult,
  type ID,
  type Order,
  type RequestContext,
  type SettlePaymentErrorResult,
  type SettlePaymentResult,
} from '@vendure/core';
import {
  closeIntent,
  fetchOrder,
  needsRefund,
  receiveEvents,
  reconcile,
  RelayError,
  signOrderToken,
  type EventStore,
  type ReceiveEvents,
  type RelayAccess,
  type ShopEvent,
} from 'pay-checkout/shop';
import { amountOf } from './amount.js';
import { PayCheckoutProgress, PayCheckoutRefund } from './entities.js';
import { eventStore } from './event-store.js';
import { PAY_CHECKOUT_OPTIONS, type PayCheckoutOptions } from './options.js';

/** The state of a payment until the customer has paid. */
export const OPEN = 'AwaitingCustomer';
declare module '@vendure/core' {
  interface PaymentStates {
    [OPEN]: never;
  }
}

/** What the relay answers when it will never say that this payment is to be settled. */
const NOT_TO_SETTLE = ['not_as_expected', 'intent_closed'];
/** Why a payment is to be paid back when another one has settled the order. */
const PAID_BEFORE = 'the order is already paid';
const TOKEN_LIFETIME_S = 86_400;
/** Precision of Vendure's default strategy for money. */
const DEFAULT_PRECISION = 2;
/** The intents of this plugin; the relay may serve other systems too. */
const OWN_INTENT = /^vendure_[0-9a-f]{32}$/;

/** The message of Vendure's error is only its name. */
const reasonOf = (error: { message: string; paymentErrorMessage?: string }): string =>
  error.paymentErrorMessage || error.message;

@Injectable()
export class PayCheckoutService {
  /** Answers the requests with which the relay delivers its events. */
  readonly receive: ReceiveEvents;
  readonly #access: RelayAccess;
  readonly #store: EventStore<RequestContext>;

  constructor(
    @Inject(PAY_CHECKOUT_OPTIONS) private readonly options: PayCheckoutOptions,
    @Inject(ConfigService) private readonly config: ConfigService,
    @Inject(TransactionalConnection) private readonly connection: TransactionalConnection,
    @Inject(OrderService) private readonly orders: OrderService,
    @Inject(RequestContextService) contexts: RequestContextService,
  ) {
    this.#access = { relay: options.relay, secret_key: options.secretKey };
    this.#store = eventStore(connection, contexts);
    this.receive = receiveEvents({
      secrets: options.eventsSecret,
      livemode: options.livemode,
      store: this.#store,
      handle: (event, { tx }) => this.#handle(tx, event),
    });
  }

  /** Signs what the customer is to pay. Nothing that the browser sends is used. */
  async createPayment(
    ctx: RequestContext,
    order: Order,
  ): Promise<CreatePaymentResult | CreatePaymentErrorResult> {
    const refusal = await this.closeOpenPayments(ctx, order.id);
    // The amount that Vendure hands over leaves out what the payments closed here would have paid.
    order.payments = await this.orders.getOrderPayments(ctx, order.id);
    const amount = order.totalWithTax - totalCoveredByPayments(order);
    const errorMessage = refusal ?? (amount > 0 ? null : 'other payments cover the order');
    if (errorMessage !== null) return { amount, state: 'Declined', errorMessage };
    const { productName, relay, tokenKey } = this.options;
    const intent_id = `vendure_${crypto.randomUUID().replaceAll('-', '')}`;
    const order_token = await signOrderToken(
      {
        aud: relay,
        jti: intent_id,
        ...this.#moneyOf(amount, order),
        product_name: productName,
        customer_ref_id: String(order.customer?.id ?? order.code),
        expires_in: TOKEN_LIFETIME_S,
      },
      tokenKey,
    );
    // the order waits in ArrangingPayment until the payment is settled
    const metadata = { public: { order_token, relay } };
    return { amount, state: OPEN, transactionId: intent_id, metadata };
  }

  /** @throws RelayError when the relay does not answer; the payment stays as it is */
  async settlePayment(
    order: Order,
    { amount, state, transactionId: intent_id }: Payment,
  ): Promise<SettlePaymentResult | SettlePaymentErrorResult> {
    if (state === 'Settled') return { success: true };
    const unsettled = (errorMessage: string): SettlePaymentErrorResult => ({
      success: false,
      state,
      errorMessage,
    });
    try {
      const expected = { expect: this.#moneyOf(amount, order), livemode: this.options.livemode };
      const { order: paid } = await fetchOrder(this.#access, { intent_id }, expected);
      if (paid.outcome !== 'succeeded') return unsettled(`the order is ${paid.outcome}`);
      if (paid.closed_at !== undefined) return unsettled('intent_closed');
      return { success: true, metadata: { request_id: paid.request_id, order_no: paid.order_no } };
    } catch (error) {
      const code = error instanceof RelayError ? error.code : '';
      if (['order_unknown', 'wrong_mode', ...NOT_TO_SETTLE].includes(code)) return unsettled(code);
      throw error;
    }
  }

  /** Closes the intent, so that nobody can pay it any more. */
  async cancelPayment(payment: Payment): Promise<CancelPaymentResult | CancelPaymentErrorResult> {
    const { state, transactionId: intent_id } = payment;
    try {
      await closeIntent(this.#access, { intent_id, reason: 'the payment was canceled' });
      return { success: true };
    } catch (error) {
      if (await this.#isToBePaidBack(intent_id, error)) return { success: true };
      // a payment keeps its state when its intent may be paid, or when nobody knows
      const kept = state === 'Cancelled' ? 'Error' : state;
      const errorMessage = error instanceof RelayError ? error.code : String(error);
      return { success: false, state: kept, errorMessage };
    }
  }

  /**
   * Whether the relay never closes the intent, because the only order that paid it had been
   * resolved as failed by a person. Nothing settles such a payment, and its event notes the refund.
   * Vendure settles no canceled payment, so a later payment of the intent is noted as a refund too.
   */
  async #isToBePaidBack(intent_id: string, error: unknown): Promise<boolean> {
    if (!(error instanceof RelayError) || error.code !== 'already_paid') return false;
    const found = await fetchOrder(this.#access, { intent_id }).catch(() => null);
    return found?.order.outcome === 'succeeded' && found.order.resolved_as === 'failed';
  }

  /** @returns why one of them was not closed, for example because it is paid; null when all are */
  async closeOpenPayments(ctx: RequestContext, orderId: ID): Promise<string | null> {
    for (const { id, state, transactionId } of await this.orders.getOrderPayments(ctx, orderId)) {
      if (state !== OPEN || !OWN_INTENT.test(transactionId ?? '')) continue;
      const result = await this.orders.cancelPayment(ctx, id);
      if (isGraphQlErrorResult(result)) return `the open payment stays: ${reasonOf(result)}`;
    }
    return null;
  }

  /** Handles the events that no webhook has delivered; returns how many were read. */
  async reconcile(): Promise<number> {
    const progress = this.connection.rawConnection.getRepository(PayCheckoutProgress);
    const cursor = {
      load: async () => (await progress.findOneBy({ id: 1 }))?.cursor,
      save: (text: string) => progress.upsert({ id: 1, cursor: text }, ['id']),
    };
    return reconcile({
      ...this.#access,
      livemode: this.options.livemode,
      cursor,
      store: this.#store,
      handle: (event, { tx }) => this.#handle(tx, event),
    });
  }

  /** @throws Error when a paid order could not be placed; then the event is tried again */
  async #handle(ctx: RequestContext, event: ShopEvent): Promise<void> {
    const { intent_id } = event.data;
    if (!OWN_INTENT.test(intent_id)) return;
    const payment = await this.connection.getRepository(ctx, Payment).findOne({
      where: { transactionId: intent_id },
      relations: { order: true },
    });
    const isFirst = event.type === 'order.succeeded';
    const paidBy = payment?.state === 'Settled' ? payment.metadata.request_id : undefined;
    if (needsRefund(event, paidBy))
      return this.#noteRefund(ctx, event, isFirst && paidBy ? PAID_BEFORE : event.type);
    if (!isFirst || (await this.#isNoted(ctx, event))) return;
    if (!payment) return this.#noteRefund(ctx, event, 'no payment');
    if (payment.state !== 'Settled') {
      const order = await this.orders.findOne(ctx, payment.order.id, [
        'payments',
        'payments.refunds',
      ]);
      if (order && orderTotalIsCovered(order, 'Settled'))
        return this.#noteRefund(ctx, event, PAID_BEFORE);
      const result = await this.orders.settlePayment(ctx, payment.id);
      if (isGraphQlErrorResult(result)) {
        const reason = reasonOf(result);
        if (payment.state === 'Cancelled' || NOT_TO_SETTLE.includes(reason))
          return this.#noteRefund(ctx, event, reason);
        throw new Error(`${intent_id} is not settled: ${reason}`);
      }
    }
    await this.#place(ctx, payment.order.id, intent_id);
  }

  async #place(ctx: RequestContext, orderId: ID, intent_id: string): Promise<void> {
    const order = await this.orders.findOne(ctx, orderId, ['payments']);
    if (!order || order.orderPlacedAt) return;
    if (!orderTotalIsCovered(order, 'Settled')) {
      Logger.warn(`${intent_id} pays a part of the order ${order.code}`, 'pay-checkout');
      return;
    }
    const result = await this.orders.transitionToState(ctx, orderId, 'PaymentSettled');
    if (isGraphQlErrorResult(result))
      throw new Error(`${intent_id} is paid, and its order ${order.code} stays ${order.state}`);
  }

  /** A relay whose ledger was restored may call a payment the first that was to be paid back. */
  #isNoted(ctx: RequestContext, { data: { request_id } }: ShopEvent): Promise<boolean> {
    return this.connection.getRepository(ctx, PayCheckoutRefund).existsBy({ request_id });
  }

  async #noteRefund(ctx: RequestContext, { data }: ShopEvent, reason: string): Promise<void> {
    const { amount, currency, intent_id, request_id } = data;
    await this.connection
      .getRepository(ctx, PayCheckoutRefund)
      .upsert({ request_id, intent_id, amount, currency, reason }, ['request_id']);
  }

  #moneyOf(amount: number, { currencyCode }: Order): { amount: string; currency: string } {
    const precision = this.config.entityOptions.moneyStrategy.precision ?? DEFAULT_PRECISION;
    return { amount: amountOf(amount, precision, currencyCode), currency: currencyCode };
  }
}

/** Place: one intent, one current order, one upstream pay (design §4 Identity, §6.2, §6.3). */
import { optionFits, type PaymentOptionConfig } from '../config/payment-options.js';
import { Failure } from '../contract/failure.js';
import type { PayRequest } from '../contract/requests.js';
import { contentDigest, type OrderIntent } from '../intent/order-intent.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';
import { claimMs, type Changes } from './apply.js';
import type { Context } from './context.js';
import { sendPay } from './send-pay.js';

/** Orders that one intent may have in all. */
const MOST_ORDERS = 5;

type Ask = Pick<PayRequest, 'option' | 'customer' | 'replaces'>;
export type Place = (intent: OrderIntent & { intentId: string }, ask: Ask) => Promise<OrderRow>;

/** @param settle asks the service once about an order whose answer was lost or a refusal */
export function createPlace(
  context: Context,
  changes: Changes,
  settle: (order: OrderRow) => Promise<OrderRow>,
): Place {
  const { breaker, capabilities, clock, config, ledger } = context;
  const underWay = new Map<string, Promise<OrderRow>>();

  const send = (
    intent: IntentRow,
    order: OrderRow,
    option: PaymentOptionConfig,
    customer: Ask['customer'],
  ): Promise<OrderRow> => {
    const sending = sendPay(context, changes, { intent, order, option, customer })
      .then(({ order: written, work }) => (work.includes('query_now') ? settle(written) : written))
      .finally(() => underWay.delete(order.request_id));
    underWay.set(order.request_id, sending);
    return sending;
  };

  /** The order that stands: waits for its answer when this process is getting it. */
  const standing = async (order: OrderRow): Promise<OrderRow> =>
    checkReached(await (underWay.get(order.request_id) ?? order));

  return async (orderIntent, ask) => {
    if (orderIntent.expired) {
      const known = await currentOrder(context, orderIntent);
      if (!known || ask.replaces)
        throw new Failure(
          'token_expired',
          'an expired token cannot create an order',
          'order_token',
        );
      return standing(known);
    }
    const option = findOption(orderIntent, ask);
    if (breaker.isOpen() && (ask.replaces || !(await currentOrder(context, orderIntent))))
      throw new Failure(
        'service_unavailable',
        'the order service does not answer; nothing was placed',
      );
    const intent = await openIntent(context, orderIntent);
    const current =
      intent.current_request_id === null ? null : await ledger.order(intent.current_request_id);
    const orders = await ledger.ordersOf(intent.intent_id);

    if (
      current &&
      ask.replaces &&
      !(await capabilities.verify('order', ask.replaces.request_id, ask.replaces.order_key))
    )
      throw new Failure('order_unknown', 'replaces names no order', 'replaces');
    const paid = orders.find((order) => order.outcome === 'succeeded');
    if (paid && ask.replaces) throw new Failure('already_paid', 'the intent is paid', 'replaces');
    if (paid) return paid;
    if (current && ask.replaces?.request_id !== current.request_id)
      return current.sending === 'unsent'
        ? sendAgain(intent, current, option, ask)
        : standing(current);
    if (orders.length >= MOST_ORDERS)
      throw new Failure(
        'too_many_replacements',
        `an intent has at most ${MOST_ORDERS} orders`,
        'replaces',
      );

    const order = newOrder(intent, orders.length + 1, option, ask);
    const { claimed, order: winner } = await ledger.claimOrder(order, current?.request_id ?? null);
    if (!claimed && ask.replaces && (await ledger.intent(intent.intent_id))?.paid_request_id)
      throw new Failure('already_paid', 'the intent is paid', 'replaces');
    return claimed
      ? checkReached(await send(intent, order, option, ask.customer))
      : standing(winner);
  };

  /** The service never saw the current order: whoever claims it anew sends it, by the option asked for now. */
  async function sendAgain(
    intent: IntentRow,
    unsent: OrderRow,
    option: PaymentOptionConfig,
    ask: Ask,
  ): Promise<OrderRow> {
    const claim: OrderRow = {
      ...newOrder(intent, unsent.ordinal, option, ask),
      request_id: unsent.request_id,
      version: unsent.version + 1,
    };
    if (await ledger.replaceOrder(claim))
      return checkReached(await send(intent, claim, option, ask.customer));
    return standing((await ledger.order(unsent.request_id)) ?? unsent);
  }

  function newOrder(
    intent: IntentRow,
    ordinal: number,
    option: PaymentOptionConfig,
    ask: Ask,
  ): OrderRow {
    const now = clock.now();
    return {
      request_id: ordinal === 1 ? intent.intent_id : `${intent.intent_id}.${ordinal}`,
      intent_id: intent.intent_id,
      ordinal,
      option: option.id,
      amount: intent.amount,
      currency: intent.currency,
      open_amount: intent.mode === 'open',
      had_customer: ask.customer !== undefined && Object.keys(ask.customer).length > 0,
      sending: 'claimed',
      order_no: null,
      first_status: null,
      status: null,
      outcome: 'pending',
      review_reason: null,
      next_action: null,
      late: false,
      created_at: now,
      checked_at: null,
      expires_at: option.expires_after_s === undefined ? null : now + option.expires_after_s * 1000,
      lost_at: null,
      next_check_at: now + claimMs(context),
      version: 1,
    };
  }

  function findOption(intent: OrderIntent, ask: Ask): PaymentOptionConfig {
    const option = config.options.find(({ id, enabled }) => id === ask.option && enabled);
    if (!option) throw new Failure('option_unknown', 'no such payment option', 'option');
    if (!offered(intent, option))
      throw new Failure(
        'option_not_available',
        'the option does not fit this currency or amount',
        'option',
      );
    for (const field of option.customer ?? [])
      if (!ask.customer?.[field])
        throw new Failure(
          'customer_data_required',
          `the option asks for customer.${field}`,
          `customer.${field}`,
        );
    return option;
  }

  function checkReached(order: OrderRow): OrderRow {
    if (order.sending === 'unsent')
      throw new Failure(
        'service_unreachable',
        'no connection to the order service; nothing was placed',
      );
    return order;
  }
}

export const offered = (intent: OrderIntent, option: PaymentOptionConfig): boolean =>
  (intent.options === null || intent.options.includes(option.id)) &&
  optionFits(option, {
    amount: intent.amount,
    currency: intent.currency,
    pay_currency: intent.payCurrency ?? undefined,
  });

/** @throws Failure `intent_conflict` when the identity is known with other content */
async function openIntent(
  { clock, ledger }: Context,
  intent: OrderIntent & { intentId: string },
): Promise<IntentRow> {
  const content = await contentDigest(intent);
  const row = await ledger.openIntent({
    intent_id: intent.intentId,
    mode: intent.mode,
    content,
    amount: intent.amount,
    currency: intent.currency,
    product_name: intent.productName,
    customer_ref_id: intent.customerRefId,
    pay_currency: intent.payCurrency,
    remark: intent.remark,
    return_url: intent.returnUrl,
    created_at: clock.now(),
    current_request_id: null,
    paid_request_id: null,
  });
  return checkContent(row, content);
}

function checkContent(row: IntentRow, content: string): IntentRow {
  if (row.content !== content)
    throw new Failure('intent_conflict', 'the same identity was used with other content');
  return row;
}

/** The order that a resumed intent shows: the paid one if there is one, else the current one. */
export async function currentOrder(
  { ledger }: Context,
  intent: OrderIntent,
): Promise<OrderRow | null> {
  const row = intent.intentId === null ? null : await ledger.intent(intent.intentId);
  if (!row) return null;
  checkContent(row, await contentDigest(intent));
  const orders = await ledger.ordersOf(row.intent_id);
  const shown =
    orders.find(({ outcome }) => outcome === 'succeeded') ??
    orders.find(({ request_id }) => request_id === row.current_request_id);
  return shown && shown.sending !== 'unsent' ? shown : null;
}

/** Schemas of the relay's answers. A field may be added to an object, never renamed. */
import { z } from 'zod';
import { CONTRACT } from './paths.js';
import { codeAmount, intentModes, order } from './order.js';

/** A text, or texts by locale. */
export const label = z.union([z.string().min(1), z.record(z.string(), z.string())]);
export type Label = z.infer<typeof label>;

export const customerField = z.enum(['email', 'phone', 'name']);
export type CustomerField = z.infer<typeof customerField>;

/** The partner's texts, by the key of the widget's texts. */
export const shopTexts = z.record(z.string(), label);

/**
 * What the customer does with a QR code on the phone that shows it: open the link in it, copy it,
 * or save its picture for the banking app.
 */
export const phoneAction = z.enum(['open', 'copy', 'save']);
export type PhoneAction = z.infer<typeof phoneAction>;

/** Words that replace the element's own sentences, in the locales for which there are any. */
const optionWords = z.object({ copy_code: label.optional(), scan: label.optional() });
export type OptionWords = z.infer<typeof optionWords>;

const option = z.object({
  id: z.string(),
  label,
  payment_method: z.string(),
  payment_type: z.string().optional(),
  payment_channel: z.string().optional(),
  /** Customer data that the option asks for. */
  customer: z.array(customerField).optional(),
  icon_url: z.string().optional(),
  /** Without it the element opens a code whose order has `code_opens`, and copies any other. */
  phone_action: phoneAction.optional(),
  words: optionWords.optional(),
  /** The option has a list of wallets (`walletsPath`). */
  wallets: z.boolean().optional(),
});

export const checkoutResponse = z.object({
  contract: z.literal(CONTRACT),
  checkout: z.object({
    amount: z.string(),
    currency: z.string(),
    product_name: z.string(),
    remark: z.string().optional(),
    options: z.array(option),
    livemode: z.boolean(),
    shop_name: z.string(),
    support_url: z.string().optional(),
    logo_url: z.string().optional(),
    /** Hosts whose images may be shown, besides those of the page and of the relay. */
    image_hosts: z.array(z.string()).optional(),
    /** Where the customer goes after paying. */
    return_url: z.string().optional(),
    /** Wallet schemes that a link may have besides https. */
    link_schemes: z.array(z.string()),
    texts: shopTexts.optional(),
    /** The option of `order`; present only when `options` lacks it. */
    order_option: option.optional(),
  }),
  order: order.optional(),
});
export type CheckoutResponse = z.infer<typeof checkoutResponse>;
export type PaymentOption = z.infer<typeof option>;

/** A bank or wallet, which opens the order's link by a form of its own. */
const wallet = z.object({
  name: z.string(),
  icon_url: z.string().optional(),
  https: z.string().optional(),
  scheme: z.string().optional(),
  android_package: z.string().optional(),
});
export type Wallet = z.infer<typeof wallet>;

export const walletsResponse = z.object({ wallets: z.array(wallet) });

export const orderResponse = z.object({ order });

/** The answer of a query to a page that has this version of the order. */
const unchangedOrder = z.object({
  unchanged: z.literal(true),
  server_time: z.iso.datetime(),
  service_unreachable: z.boolean().optional(),
});
export type UnchangedOrder = z.infer<typeof unchangedOrder>;

export const queryResponse = z.union([orderResponse, unchangedOrder]);

/** What the shop's backend reads in addition to the order, and what every event carries. */
export const purchase = z.object({
  mode: z.enum(intentModes),
  amount: z.string(),
  currency: z.string(),
  product_name: z.string(),
  customer_ref_id: z.string(),
  /** Present for a catalogue intent only. */
  sku: z.string().optional(),
  quantity: z.number().int().optional(),
  /** What the shop attached to the intent. */
  metadata: z.record(z.string(), z.string()).optional(),
  /** When the shop closed the intent. */
  closed_at: z.iso.datetime().optional(),
  /** The order was paid after its intent was closed: do not deliver, but refund. */
  late_payment: z.literal(true).optional(),
  /** What a person decided: an order that is paid after "failed" may have been paid back. */
  resolved_as: z.enum(['succeeded', 'failed']).optional(),
  /** Why a person must look at the order. */
  review_reason: z.string().optional(),
  /** Amount and currency as the service last echoed them. */
  echoed_amount: z.string().optional(),
  echoed_currency: z.string().optional(),
  /** What the code charges, in a review because of it. */
  code_amount: codeAmount.optional(),
});
export type Purchase = z.infer<typeof purchase>;

export const backendOrder = order.extend({
  ...purchase.shape,
  /** False in mode test, in which no money moves. */
  livemode: z.boolean(),
});
export type BackendOrder = z.infer<typeof backendOrder>;

export const backendQueryResponse = z.object({
  order: backendOrder,
  orders: z.array(backendOrder),
});

export const depositAddressResponse = z.object({
  deposit_address: z.object({
    shop_name: z.string().optional(),
    livemode: z.boolean().optional(),
    currency: z.string(),
    address: z.string(),
    /** Destination tag or memo; an empty string when the asset has none. "0" is a tag. */
    tag: z.string(),
    label: label.optional(),
    network: z.string().optional(),
    tag_label: label.optional(),
    uri: z.string().optional(),
    minimum: z.string().optional(),
    /** The address does not have the shape of its configured family. */
    unchecked: z.boolean().optional(),
    texts: shopTexts.optional(),
  }),
});
export type DepositAddress = z.infer<typeof depositAddressResponse>['deposit_address'];

export const orderTokenResponse = z.object({
  order_token: z.string(),
  expires_at: z.iso.datetime(),
});
export type OrderTokenResponse = z.infer<typeof orderTokenResponse>;

/** HTML, and not JSON. */
export const renderResponse = z.string();

export const closeResponse = z.object({ intent_id: z.string(), closed_at: z.iso.datetime() });
export type CloseResponse = z.infer<typeof closeResponse>;

/**
 * One page of a list. `more`: a call with `cursor` returns further rows at once. `reset`: the list
 * starts again at its beginning, because the ledger was restored and has no such cursor.
 */
const page = {
  cursor: z.string(),
  more: z.boolean(),
  reset: z.literal(true).optional(),
};

export const ordersResponse = z.object({ orders: z.array(backendOrder), ...page });

export const eventsResponse = z.object({
  events: z.array(
    z.object({
      /** The `webhook-id` of its deliveries. */
      id: z.string(),
      type: z.string(),
      timestamp: z.string(),
      data: z.record(z.string(), z.unknown()),
      delivered_at: z.iso.datetime().nullable(),
      first_delivered_at: z.iso.datetime().nullable(),
      /** Failed tries since the event was written or last asked for again. */
      tries: z.int(),
      /** What the shop answered at the last try that failed. */
      last_failure: z.string().nullable(),
      /** Null when the event is delivered, or is not tried again by itself. */
      next_try_at: z.iso.datetime().nullable(),
    }),
  ),
  ...page,
});

/** The number of events that are delivered again. */
export const resendEventsResponse = z.object({ resent: z.number().int() });

/** The reference's text about each field of requests, answers and events, by its name. */
import { nextAction } from '../../../relay/contract/order.js';

const kinds = nextAction.options.map(({ shape }) => shape.kind.value);

export const wireFields: Record<string, string> = {
  // what is to be paid
  order_token: 'The token that the shop’s backend signed, or that of a pay link.',
  sku: 'The item of the catalogue.',
  quantity: 'How many of the item; by default 1.',
  amount: 'A decimal as text, such as "12.50".',
  currency: 'The currency of the amount.',
  pay_currency: 'The currency or asset that the customer pays in.',
  product_name: 'What is sold, as the customer reads it.',
  remark: 'A detail below the product.',
  customer_ref_id:
    'The shop’s identifier of the customer. In orders and events that of a page or a guest ' +
    'begins with guest_customer_prefix.',
  return_url: 'Where the customer goes after paying.',
  jti: 'The order’s number in the shop, which becomes the intent_id.',
  metadata:
    'Up to 20 texts of the shop, given back in events and queries: keys of up to 40 characters, ' +
    'values of up to 500, at most 2,048 bytes as JSON.',
  expires_in: 'How many seconds the token or link is valid.',
  options: 'The ids of the ways to pay that are allowed; by default all.',
  uses: 'How many intents the link opens.',
  // a request of a page
  attempt: 'A random UUID of the browser, the same after a reload.',
  resume: 'The key of a link for another device.',
  option: 'The id of the way to pay.',
  customer: 'The customer data that the option asks for.',
  email: 'An e-mail address.',
  phone: 'A telephone number.',
  name: 'The customer’s name.',
  replaces: 'The current order, when the customer changes the way to pay.',
  known_status: 'The status that the page shows.',
  known_version: 'The version of the order that the page shows.',
  wait: 'For how many seconds the answer may wait for a change.',
  expect:
    'The amount and currency that the page has shown, or that the backend expects; an order that' +
    ' differs is refused.',
  deposit_token: 'A token of the shop that permits a deposit address.',
  locale: 'The language of the texts.',
  styles: 'Whether the HTML links the style sheet of the relay, or holds the styles itself.',
  nonce: 'The nonce of the page’s policy, for inline styles.',
  // an order
  order: 'The order.',
  orders: 'All orders of the intent; in a list, those of this page.',
  intent_id: 'The id of the intent, which is paid once: the jti, or an id that the relay made.',
  request_id: 'The order’s identifier at the order service, made by the relay.',
  order_key: 'The key that permits to read and replace this order.',
  order_no: 'The order’s number at the order service; null while unknown.',
  status: 'The last status of the order service; null while unknown.',
  outcome: 'How the relay reads the status.',
  next_action:
    'What the customer must do now; null while unknown, and when the order must not be paid.',
  kind: `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}.`,
  qrcode_string: 'The content of the QR code.',
  checkout_url: 'The payment page.',
  wallet_url: 'The link that opens the wallet.',
  open_amount: 'Whether the page chose the amount.',
  late: 'Whether the order was paid after it had failed, expired, or been unmapped or in review.',
  other_payable: 'Whether another order of the intent can still be paid.',
  closed: 'Whether the shop closed the intent.',
  paid_by: 'The request_id of another order that paid the intent.',
  replaced: 'True when another order of the intent has taken its place; do not pay it.',
  payee: 'Whom the QR code or the link pays, as it says.',
  code_amount:
    'What the customer’s app charges, when it is not the amount of the order; without `amount`, ' +
    'the customer types the amount of the order.',
  code_opens: 'Whether the QR code is a link that may be opened.',
  created_at: 'When the order was placed.',
  checked_at:
    'When the service last said something new, or last answered because somebody asked; null ' +
    'before that.',
  expires_at: 'Until when the token or link is valid.',
  server_time: 'The relay’s time, for countdowns.',
  version: 'Changes whenever a field of the order other than checked_at changes.',
  service_unreachable:
    'True while the relay cannot ask the order service; in the answer to a page’s query.',
  unchanged: 'True when the page knows the order as it is; the answer then has no order.',
  mode: 'token, catalogue or open: who set the amount.',
  closed_at: 'When the shop closed the intent.',
  late_payment: 'Paid after the intent was closed: pay it back; the service has no refund.',
  review_reason: 'Why a person must look at the order.',
  echoed_amount: 'The amount that the service last repeated.',
  echoed_currency: 'The currency that the service last repeated.',
  paid_at: 'When the relay learned of the payment; absent before that.',
  notice: 'What the shop tells the customer, by locale, in place of the element’s sentence.',
  // what the page shows
  contract: 'The version of the contract.',
  checkout: 'What the page shows.',
  id: 'The id of the event, which it keeps when it is sent again.',
  label: 'A name for customers, or names by locale.',
  payment_method: 'on_line, direct or on_chain.',
  payment_type: 'The type of a direct payment.',
  payment_channel: 'The channel of a direct payment.',
  icon_url: 'The picture of the option.',
  phone_action: 'What a phone does with the code: open, copy or save.',
  words: 'Texts that replace the element’s own.',
  copy_code: 'The button that copies the code.',
  scan: 'The sentence above the code.',
  wallets: 'Whether the option has a list of wallets.',
  livemode: 'False in mode test.',
  shop_name: 'The title of the card.',
  support_url: 'Where the customer finds help.',
  logo_url: 'The shop’s logo.',
  image_hosts: 'Hosts of images, besides those of the page and the relay.',
  link_schemes: 'Schemes of wallets that a link may have.',
  texts: 'The shop’s own sentences, by key.',
  order_option: 'The option of the order, when options lacks it.',
  // a deposit
  deposit_address: 'The address with its tag and network.',
  address: 'The crypto address.',
  tag: 'The destination tag or memo of the address; empty when the asset has none.',
  network: 'The network of the asset.',
  tag_label: 'The name of the tag.',
  uri: 'The payment URI, for a QR code.',
  minimum: 'The least deposit.',
  unchecked: 'True when the address does not have the form of its configured family.',
  // pay links and lists
  pay_link_id: 'The name of the pay link.',
  url: 'The address of the page.',
  qr_url: 'The address of the link’s QR code.',
  revoked_at: 'When the link was revoked.',
  reason: 'The reason, for your own records.',
  cursor: 'Where the list goes on; in a request, the cursor of the last answer.',
  limit: 'How many rows at most, by default 100.',
  more: 'Whether to read on at once. With a filter, rows may be empty although more is true.',
  reset: 'True when the list starts anew, because the ledger was restored.',
  events: 'The events of this page of the list.',
  event_id: 'The event that is delivered again.',
  since: 'At this time or later: in a list of orders, those that were created; else events.',
  resent: 'How many events are delivered again.',
  // an event of the shop
  type: 'The type of the event.',
  timestamp: 'When the event happened.',
  data: 'The order that the event is about.',
  delivered_at: 'When the shop answered 2xx, the last time; null before that.',
  first_delivered_at: 'When the shop answered 2xx for the first time; null before that.',
  tries: 'How many tries have failed since the event was written or last asked for again.',
  last_failure: 'The shop’s answer at the last try that failed, such as HTTP 500; else null.',
  next_try_at: 'When the relay tries again; null when the event is delivered or was given up.',
  until: 'Only orders that were created at this time or earlier.',
  sequence: 'Counts the events of the intent from 1.',
  epoch: 'Changes when the ledger is restored.',
  first_request_id: 'The order that had paid the intent before.',
  resolved_as: 'What a person decided: succeeded or failed.',
  difference: 'The amount that the service named, minus the amount of the order.',
  resume_url: 'The page with the order, to pay it while `outcome` is `pending`.',
  // an event of the element, and a failure
  phase: 'The phase that begins.',
  previous: 'The phase that ended; empty in the first event.',
  error: 'The failure.',
  code: 'The code of the failure.',
  message: 'For the developer of the page.',
  field: 'The field that is wrong.',
  reference: 'The identifier of the request in the relay’s log.',
};

/** Fields that mean something else in an operation or in another field, by both names. */
export const wireFieldsIn: Record<string, string> = {
  'checkout.options': 'The ways to pay.',
  'depositAddress.currency': 'The asset.',
  'deposit_address.currency': 'The asset.',
  'depositAddress.customer_ref_id': 'The customer to whom the service credits a deposit.',
  'order.expires_at': 'Until when the code is shown; the service may still take the money.',
  'orders.expires_at': 'Until when the code is shown; the service may still take the money.',
  'options.id': 'The id of the way to pay.',
  'order_option.id': 'The id of the way to pay.',
  'options.customer': 'The customer data that the option asks for, by the names of its fields.',
  'order_option.customer':
    'The customer data that the option asks for, by the names of its fields.',
};

/** The events of the shop, by their type. */
export const shopEvents: Record<string, string> = {
  'order.created': 'An order was placed.',
  'order.succeeded':
    'The intent is paid, for the first time: deliver, unless `resolved_as` is `failed`.',
  'order.failed': 'The order failed; it may still succeed.',
  'order.expired': 'The order expired; it may still succeed.',
  'order.unmapped_status': 'The service reports a status that statuses does not name.',
  'order.review': 'The answer does not match the order: a person must decide.',
  'order.resolved':
    'A person ended the review, or decided about an unmapped order. Deliver nothing for it.',
  'order.duplicate_payment':
    'Another order of a paid intent was paid too: pay it back; the service has no refund.',
  'order.late_payment':
    'An order was paid after its intent was closed: pay it back; the service has no refund.',
  'order.unpaid': 'The intent is not paid shop_events.unpaid_after_s after its first pay.',
};

/** Fields that only some events have, by the event. */
export const fieldsOfEvents: Record<string, string> = {
  first_request_id: 'order.duplicate_payment',
  resolved_as: 'after a person ended a review',
  difference: 'order.resolved, once the service has repeated the amount',
  resume_url: 'order.unpaid',
  echoed_amount: 'once the service has repeated it',
  echoed_currency: 'once the service has repeated it',
  code_amount: 'with the review_reason code_mismatch, when the code could be read',
};

/**
 * The small reader that the widget uses in place of a schema library: it takes an answer apart by hand and throws when a field is not
 * what the contract says. A property test shows that it agrees with the schemas.
 */
import type { NextAction, Order, Outcome } from './order.js';
import type { CheckoutResponse, CustomerField, DepositAddress, Label, PaymentOption } from './responses.js';
import type { FailureBody } from './failure.js';
import { CONTRACT } from './paths.js';

/** Thrown when an answer breaks the contract; `message` names the field. */
export class ContractError extends Error {}

type Fields = Record<string, unknown>;
type Read<T> = (value: unknown, path: string) => T;

const refuse = (path: string): never => {
  throw new ContractError(`${path} is not what the contract says`);
};

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const fields: Read<Fields> = (value, path) => (isFields(value) ? value : refuse(path));
const text: Read<string> = (value, path) => (typeof value === 'string' ? value : refuse(path));
const flag: Read<boolean> = (value, path) => (typeof value === 'boolean' ? value : refuse(path));
const whole: Read<number> = (value, path) => (Number.isSafeInteger(value) ? (value as number) : refuse(path));
const link: Read<string> = (value, path) => {
  const string = text(value, path);
  return string.length > 0 && string.length <= 8192 ? string : refuse(path);
};
const instant: Read<string> = (value, path) => {
  const string = text(value, path);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/.test(string) && !Number.isNaN(Date.parse(string)) ? string : refuse(path);
};
const list = <T>(value: unknown, path: string, read: Read<T>): T[] =>
  Array.isArray(value) ? value.map((item, index) => read(item, `${path}.${index}`)) : refuse(path);
const orNull = <T>(value: unknown, path: string, read: Read<T>): T | null => (value === null ? null : read(value, path));
/** `{name: value}` when the field is there, `{}` when it is not. */
const optional = <K extends string, T>(from: Fields, name: K, path: string, read: Read<T>): { [P in K]?: T } =>
  from[name] === undefined ? {} : ({ [name]: read(from[name], `${path}.${name}`) } as { [P in K]?: T });

const OUTCOMES: Record<Outcome, true> = {
  pending: true,
  confirming: true,
  succeeded: true,
  failed: true,
  expired: true,
  unmapped: true,
  review: true,
};
const isOutcome = (value: unknown): value is Outcome => typeof value === 'string' && Object.hasOwn(OUTCOMES, value);

const readNextAction: Read<NextAction> = (value, path) => {
  const from = fields(value, path);
  const only = (name?: string): void => {
    for (const key of Object.keys(from)) if (key !== 'kind' && key !== name) refuse(`${path}.${key}`);
  };
  switch (from.kind) {
    case 'scan_qr':
      only('qrcode_string');
      return { kind: 'scan_qr', qrcode_string: link(from.qrcode_string, `${path}.qrcode_string`) };
    case 'open_page':
      only('checkout_url');
      return { kind: 'open_page', checkout_url: link(from.checkout_url, `${path}.checkout_url`) };
    case 'open_wallet':
      only('wallet_url');
      return { kind: 'open_wallet', wallet_url: link(from.wallet_url, `${path}.wallet_url`) };
    case 'wait':
      only();
      return { kind: 'wait' };
    default:
      return refuse(`${path}.kind`);
  }
};

const readOrderFields: Read<Order> = (value, path) => {
  const from = fields(value, path);
  return {
    intent_id: text(from.intent_id, `${path}.intent_id`),
    request_id: text(from.request_id, `${path}.request_id`),
    order_no: orNull(from.order_no, `${path}.order_no`, text),
    order_key: text(from.order_key, `${path}.order_key`),
    option: text(from.option, `${path}.option`),
    amount: text(from.amount, `${path}.amount`),
    currency: text(from.currency, `${path}.currency`),
    status: orNull(from.status, `${path}.status`, whole),
    outcome: isOutcome(from.outcome) ? from.outcome : refuse(`${path}.outcome`),
    next_action: orNull(from.next_action, `${path}.next_action`, readNextAction),
    open_amount: flag(from.open_amount, `${path}.open_amount`),
    late: flag(from.late, `${path}.late`),
    other_payable: flag(from.other_payable, `${path}.other_payable`),
    ...optional(from, 'paid_by', path, text),
    created_at: instant(from.created_at, `${path}.created_at`),
    checked_at: orNull(from.checked_at, `${path}.checked_at`, instant),
    ...optional(from, 'expires_at', path, instant),
    server_time: instant(from.server_time, `${path}.server_time`),
  };
};

const readLabel: Read<Label> = (value, path) => {
  if (typeof value === 'string') return value.length > 0 ? value : refuse(path);
  const from = fields(value, path);
  for (const [locale, string] of Object.entries(from)) text(string, `${path}.${locale}`);
  return from as Record<string, string>;
};

const readTexts: Read<Record<string, Label>> = (value, path) =>
  Object.fromEntries(Object.entries(fields(value, path)).map(([key, item]) => [key, readLabel(item, `${path}.${key}`)]));

const readCustomerField: Read<CustomerField> = (value, path) =>
  value === 'email' || value === 'phone' || value === 'name' ? value : refuse(path);

const readOption: Read<PaymentOption> = (value, path) => {
  const from = fields(value, path);
  return {
    id: text(from.id, `${path}.id`),
    label: readLabel(from.label, `${path}.label`),
    payment_method: text(from.payment_method, `${path}.payment_method`),
    ...optional(from, 'payment_type', path, text),
    ...optional(from, 'payment_channel', path, text),
    ...optional(from, 'customer', path, (item, at) => list(item, at, readCustomerField)),
  };
};

/** The answer of `checkout`. */
export function readCheckout(value: unknown): CheckoutResponse {
  const from = fields(value, 'answer');
  if (from.contract !== CONTRACT) refuse('contract');
  const checkout = fields(from.checkout, 'checkout');
  return {
    contract: CONTRACT,
    checkout: {
      amount: text(checkout.amount, 'checkout.amount'),
      currency: text(checkout.currency, 'checkout.currency'),
      product_name: text(checkout.product_name, 'checkout.product_name'),
      ...optional(checkout, 'remark', 'checkout', text),
      options: list(checkout.options, 'checkout.options', readOption),
      livemode: flag(checkout.livemode, 'checkout.livemode'),
      shop_name: text(checkout.shop_name, 'checkout.shop_name'),
      ...optional(checkout, 'support_url', 'checkout', text),
      link_schemes: list(checkout.link_schemes, 'checkout.link_schemes', text),
      ...optional(checkout, 'texts', 'checkout', readTexts),
    },
    ...optional(from, 'order', 'answer', readOrderFields),
  };
}

/** The order in the answer of `pay` and `query`. */
export const readOrder = (value: unknown): Order => readOrderFields(fields(value, 'answer').order, 'order');

/** The answer of `deposit-address`. */
export function readDepositAddress(value: unknown): DepositAddress {
  const from = fields(fields(value, 'answer').deposit_address, 'deposit_address');
  const path = 'deposit_address';
  return {
    currency: text(from.currency, `${path}.currency`),
    address: text(from.address, `${path}.address`),
    tag: text(from.tag, `${path}.tag`),
    ...optional(from, 'label', path, readLabel),
    ...optional(from, 'network', path, text),
    ...optional(from, 'tag_label', path, readLabel),
    ...optional(from, 'uri', path, text),
    ...optional(from, 'minimum', path, text),
    ...optional(from, 'unchecked', path, flag),
  };
}

/** The relay's failure, or null when the body is not one (a proxy's page, say). */
export function readFailure(value: unknown): FailureBody['error'] | null {
  if (!isFields(value) || !isFields(value.error)) return null;
  const { code, message, field, reference } = value.error;
  if (typeof code !== 'string' || typeof message !== 'string' || typeof reference !== 'string') return null;
  return { code: code as FailureBody['error']['code'], message, reference, ...(typeof field === 'string' ? { field } : {}) };
}

/**
 * Reads the relay's answers in the widget, by hand because a schema library would exceed the size
 * budget of the bundle. A property test shows that it agrees with the schemas.
 */
import type { CodeAmount, NextAction, Order, Outcome } from './order.js';
import type {
  CheckoutResponse,
  CustomerField,
  DepositAddress,
  Label,
  OptionWords,
  PaymentOption,
  PhoneAction,
  Wallet,
} from './responses.js';
import type { FailureBody } from './failure.js';
import { CONTRACT, MAX_LINK_CHARACTERS } from './paths.js';

/** Thrown when an answer breaks the contract; `message` names the field. */
export class ContractError extends Error {
  /** The relay's contract version is lower than the widget's, so the relay is out of date. */
  older = false;
}

type Fields = Record<string, unknown>;
type Read<T> = (value: unknown, path: string) => T;
/** A reader for each field; the reader of an optional field accepts undefined. */
type Shape<T> = { [K in keyof T]-?: Read<T[K] | undefined> };

const refuse = (path: string): never => {
  throw new ContractError(`${path} is not what the contract says`);
};

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `Object.hasOwn` is missing in browsers that still need the sentence that they are too old. */
const hasOwn = Object.prototype.hasOwnProperty;

/**
 * Reads an own property. A plain read would also find what another script of the page wrote on
 * `Object.prototype`, as if the relay had sent it.
 */
export const own = <T>(from: Readonly<Record<string, T>>, name: string): T | undefined =>
  hasOwn.call(from, name) ? from[name] : undefined;

const fields: Read<Fields> = (value, path) => (isFields(value) ? value : refuse(path));
const text: Read<string> = (value, path) => (typeof value === 'string' ? value : refuse(path));
const flag: Read<boolean> = (value, path) => (typeof value === 'boolean' ? value : refuse(path));
const whole: Read<number> = (value, path) =>
  Number.isSafeInteger(value) ? (value as number) : refuse(path);
const link: Read<string> = (value, path) => {
  const string = text(value, path);
  return string.length > 0 && string.length <= MAX_LINK_CHARACTERS ? string : refuse(path);
};
const instant: Read<string> = (value, path) => {
  const string = text(value, path);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/.test(string) &&
    !Number.isNaN(Date.parse(string))
    ? string
    : refuse(path);
};
const oneOf =
  <T extends string>(values: Readonly<Record<T, unknown>>): Read<T> =>
  (value, path) =>
    typeof value === 'string' && hasOwn.call(values, value) ? (value as T) : refuse(path);
const list =
  <T>(read: Read<T>): Read<T[]> =>
  (value, path) =>
    Array.isArray(value)
      ? value.map((item, index) => read(item, `${path}.${index}`))
      : refuse(path);
const orNull =
  <T>(read: Read<T>): Read<T | null> =>
  (value, path) =>
    value === null ? null : read(value, path);
const maybe =
  <T>(read: Read<T>): Read<T | undefined> =>
  (value, path) =>
    value === undefined ? undefined : read(value, path);
/** Reads a wrong value as absent, because the rest of the answer is useful without it. */
const unlessWrong =
  <T>(read: Read<T>): Read<T | undefined> =>
  (value, path) => {
    try {
      return read(value, path);
    } catch {
      return undefined;
    }
  };
/** Reads the fields that the shape names, and drops the others. */
const object =
  <T extends object>(shape: Shape<T>): Read<T> =>
  (value, path) => {
    const from = fields(value, path);
    const read: Fields = {};
    // an absent field is set too, so that a read of it never reaches Object.prototype
    for (const name of Object.keys(shape) as (keyof T & string)[])
      read[name] = shape[name](own(from, name), `${path}.${name}`);
    return read as T;
  };

type Kind = NextAction['kind'];
/** The name of the link in each kind of next action. */
const LINKS: { [K in Kind]: Exclude<keyof Extract<NextAction, { kind: K }>, 'kind'> | null } = {
  scan_qr: 'qrcode_string',
  open_page: 'checkout_url',
  open_wallet: 'wallet_url',
  wait: null,
};
const kind = oneOf(LINKS);

/** Accepts a next action with its one link and no other field. */
const nextAction: Read<NextAction> = (value, path) => {
  const from = fields(value, path);
  const name = LINKS[kind(own(from, 'kind'), `${path}.kind`)];
  for (const key of Object.keys(from)) if (key !== 'kind' && key !== name) refuse(`${path}.${key}`);
  if (name) link(own(from, name), `${path}.${name}`);
  return { ...from } as NextAction;
};

const OUTCOMES: Record<Outcome, true> = {
  pending: true,
  confirming: true,
  succeeded: true,
  failed: true,
  expired: true,
  unmapped: true,
  review: true,
};
const outcome = oneOf(OUTCOMES);

const order = object<Order>({
  intent_id: text,
  request_id: text,
  order_no: orNull(text),
  order_key: text,
  option: text,
  amount: text,
  currency: text,
  status: orNull(whole),
  outcome,
  next_action: orNull(nextAction),
  open_amount: flag,
  late: flag,
  other_payable: flag,
  closed: flag,
  paid_by: maybe(text),
  replaced: maybe(flag),
  payee: maybe(text),
  code_amount: maybe(object<CodeAmount>({ amount: maybe(text), currency: text })),
  code_opens: maybe(flag),
  created_at: instant,
  checked_at: orNull(instant),
  paid_at: maybe(instant),
  expires_at: maybe(instant),
  server_time: instant,
  version: maybe(whole),
  service_unreachable: maybe(flag),
});

const label: Read<Label> = (value, path) => {
  if (typeof value === 'string') return value.length > 0 ? value : refuse(path);
  return textsBy(text)(value, path);
};
const textsBy =
  <T>(read: Read<T>): Read<Record<string, T>> =>
  (value, path) =>
    Object.fromEntries(
      Object.entries(fields(value, path)).map(([key, item]) => [key, read(item, `${path}.${key}`)]),
    );

const option = object<PaymentOption>({
  id: text,
  label,
  payment_method: text,
  payment_type: maybe(text),
  payment_channel: maybe(text),
  customer: maybe(list(oneOf<CustomerField>({ email: true, phone: true, name: true }))),
  icon_url: maybe(text),
  phone_action: maybe(oneOf<PhoneAction>({ open: true, copy: true, save: true })),
  words: maybe(object<OptionWords>({ copy_code: maybe(label), scan: maybe(label) })),
  wallets: maybe(flag),
});

const checkout = object<CheckoutResponse['checkout']>({
  amount: text,
  currency: text,
  product_name: text,
  remark: maybe(text),
  options: list(option),
  livemode: flag,
  shop_name: text,
  support_url: maybe(text),
  logo_url: maybe(text),
  image_hosts: maybe(list(text)),
  return_url: maybe(text),
  link_schemes: list(text),
  texts: maybe(textsBy(label)),
  order_option: maybe(option),
});

const depositAddress = object<DepositAddress>({
  shop_name: maybe(text),
  livemode: maybe(flag),
  currency: text,
  address: text,
  tag: text,
  label: maybe(label),
  network: maybe(text),
  tag_label: maybe(label),
  uri: maybe(text),
  minimum: maybe(text),
  unchecked: maybe(flag),
  texts: maybe(textsBy(label)),
});

export function readCheckout(value: unknown): CheckoutResponse {
  const from = fields(value, 'answer');
  const contract = own(from, 'contract');
  if (contract !== CONTRACT)
    throw Object.assign(new ContractError('contract'), {
      older: !(typeof contract === 'number' && contract > CONTRACT),
    });
  return {
    contract: CONTRACT,
    checkout: checkout(own(from, 'checkout'), 'checkout'),
    order: maybe(order)(own(from, 'order'), 'order'),
  };
}

/** The order in the answer of `pay` and `query`. */
export const readOrder = (value: unknown): Order =>
  order(own(fields(value, 'answer'), 'order'), 'order');

/** The order in the answer of a `query` by a page that has `known`. */
export const readQueried =
  (known: Order) =>
  (value: unknown): Order => {
    const from = fields(value, 'answer');
    if (own(from, 'unchanged') !== true) return readOrder(value);
    return {
      ...known,
      server_time: instant(own(from, 'server_time'), 'server_time'),
      service_unreachable: maybe(flag)(own(from, 'service_unreachable'), 'service_unreachable'),
    };
  };

export const readDepositAddress = (value: unknown): DepositAddress =>
  depositAddress(own(fields(value, 'answer'), 'deposit_address'), 'deposit_address');

const wallet = object<Wallet>({
  name: text,
  icon_url: maybe(text),
  https: maybe(text),
  scheme: maybe(text),
  android_package: maybe(text),
});

/** The list of an option's wallets. */
export const readWallets = (value: unknown): Wallet[] =>
  list(wallet)(own(fields(value, 'answer'), 'wallets'), 'wallets');

const failure = object<FailureBody['error']>({
  code: text as Read<FailureBody['error']['code']>,
  message: text,
  reference: text,
  field: unlessWrong(text),
  outcome: unlessWrong(outcome),
  notice: unlessWrong(textsBy(text)),
  support_url: unlessWrong(text),
});

/** @returns null when the body is no failure of the relay, for example a proxy's error page */
export const readFailure = (value: unknown): FailureBody['error'] | null =>
  unlessWrong((body) => failure(own(fields(body, ''), 'error'), ''))(value, '') ?? null;

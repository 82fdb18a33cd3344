/** What the customer reads about a problem, and what the customer can do. */
import { own } from '../../relay/contract/read.js';
import type { Sign } from '../fragments/sign.js';
import type { Problem, ProblemCode } from '../problem.js';
import type { TextKey } from '../texts/en.js';

/**
 * What the button does. `retry`, `see_order`, `back` and `change` load the checkout again: the same
 * attempt finds its order, or the options are offered. Each of these four is the key of its text.
 * `anew` leads to the shop, which starts the payment again; `shop` only leads there. `bounds` leads
 * to the other options, or else to the shop.
 */
type Way =
  | 'retry'
  | 'see_order'
  | 'back'
  | 'change'
  | 'restart'
  | 'anew'
  | 'bounds'
  | 'shop'
  | 'support'
  | 'reload';

export type ProblemTexts = {
  readonly title: TextKey;
  readonly sentence: TextKey;
  readonly way: Way;
  /** Absent: the sign of a fault. */
  readonly sign?: Sign;
  /** A customer who has paid before may take the action for a second payment. */
  readonly mayBePaid?: boolean;
};

/** The rest of each key of a text that begins with this word. */
type After<Word extends string> = {
  [Key in TextKey]: Key extends `${Word}_${infer Rest}` ? Rest : never;
}[TextKey];

const texts = (sentence: After<'problem'>, way: Way, title?: After<'title'>): ProblemTexts => ({
  sentence: `problem_${sentence}`,
  title: title ? `title_${title}` : 'problem',
  way,
});

const SERVICE = texts('service_unreachable', 'retry', 'service');
const TOKEN: ProblemTexts = {
  ...texts('token', 'anew', 'token'),
  mayBePaid: true,
  sign: 'time',
};
const PAID: ProblemTexts = {
  ...texts('paid', 'see_order', 'paid'),
  sign: 'good',
};
const REPLACEMENTS = texts('replacements', 'back', 'replacements');
const BOUNDS = texts('bounds', 'bounds', 'bounds');
const OPTION = texts('option', 'change', 'option');
const SETUP = texts('setup', 'support', 'setup');
const OTHER: ProblemTexts = { ...texts('other', 'retry'), mayBePaid: true };

const TEXTS: Partial<Record<ProblemCode, ProblemTexts>> = {
  relay_unreachable: texts('relay_unreachable', 'retry', 'offline'),
  service_unreachable: SERVICE,
  service_unavailable: SERVICE,
  service_timeout: SERVICE,
  service_unreadable: SERVICE,
  service_refused: SERVICE,
  // For the customer nothing has timed out: the shop's token is wrong.
  token_invalid: texts('token', 'anew', 'setup'),
  token_expired: TOKEN,
  // The price has changed since the page was loaded; the shop's part of the page may be old too.
  not_as_expected: texts('version', 'reload', 'conflict'),
  intent_conflict: { ...texts('conflict', 'restart', 'conflict'), mayBePaid: true },
  already_paid: PAID,
  order_unknown: texts('unknown', 'support', 'unknown'),
  too_many_replacements: REPLACEMENTS,
  amount_out_of_bounds: BOUNDS,
  quantity_out_of_bounds: BOUNDS,
  option_not_available: OPTION,
  option_unknown: OPTION,
  customer_data_required: texts('customer', 'back', 'customer'),
  rate_limited: { ...texts('rate', 'retry', 'rate'), sign: 'time' },
  contract_mismatch: texts('version', 'reload'),
  attributes_wrong: SETUP,
  not_configured: SETUP,
  origin_refused: SETUP,
  invalid_request: SETUP,
  sku_unknown: SETUP,
  currency_not_available: SETUP,
  return_host_refused: SETUP,
  token_contradicted: SETUP,
  not_found: SETUP,
  // The same request would be refused again.
  unauthorized: SETUP,
  body_too_large: SETUP,
  content_type_refused: SETUP,
  address_unverified: texts('address', 'support', 'address'),
};

/** The customer cannot mend the address of a page that the relay serves. */
const LINK = texts('link', 'shop', 'link');

/** @param onPayLink the page is that of a pay link, and its address holds the token */
export function problemTexts(
  { code, field, outcome }: Pick<Problem, 'code' | 'field' | 'outcome'>,
  onPayLink = false,
): ProblemTexts {
  if ((code === 'token_invalid' && onPayLink) || field?.startsWith('resume')) return LINK;
  // A shop that bundles the element may be newer than its relay: a reload does not help then.
  if (code === 'contract_mismatch' && field !== undefined) return SETUP;
  // The sentence of an expired token asks the customer to pay again, but the order is paid.
  if (code === 'token_expired' && outcome === 'succeeded') return { ...PAID, way: 'shop' };
  // Only the shop can sign another token.
  if (code === 'intent_conflict' && field !== undefined)
    return { ...OTHER, ...texts('token', 'anew', 'conflict') };
  // The last order cannot be paid any more, so no way may lead back to it.
  if (code === 'too_many_replacements' && /^(failed|expired)$/.test(outcome ?? ''))
    return { ...TOKEN, title: REPLACEMENTS.title };
  return own(TEXTS, code) ?? OTHER;
}

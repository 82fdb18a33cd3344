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

const texts = (sentence: TextKey, way: Way, title: TextKey = 'problem'): ProblemTexts => ({
  sentence,
  title,
  way,
});

const SERVICE = texts('problem_service_unreachable', 'retry', 'title_service');
const TOKEN: ProblemTexts = {
  ...texts('problem_token', 'anew', 'title_token'),
  mayBePaid: true,
  sign: 'time',
};
const PAID: ProblemTexts = {
  ...texts('problem_paid', 'see_order', 'title_paid'),
  sign: 'good',
};
const REPLACEMENTS = texts('problem_replacements', 'back', 'title_replacements');
const BOUNDS = texts('problem_bounds', 'bounds', 'title_bounds');
const OPTION = texts('problem_option', 'change', 'title_option');
const SETUP = texts('problem_setup', 'support', 'title_setup');
const OTHER: ProblemTexts = { ...texts('problem_other', 'retry'), mayBePaid: true };

const TEXTS: Partial<Record<ProblemCode, ProblemTexts>> = {
  relay_unreachable: texts('problem_relay_unreachable', 'retry', 'title_offline'),
  service_unreachable: SERVICE,
  service_unavailable: SERVICE,
  service_timeout: SERVICE,
  service_unreadable: SERVICE,
  service_refused: SERVICE,
  // For the customer nothing has timed out: the shop's token is wrong.
  token_invalid: texts('problem_token', 'anew', 'title_setup'),
  token_expired: TOKEN,
  // The price has changed since the page was loaded; the shop's part of the page may be old too.
  not_as_expected: texts('problem_version', 'reload', 'title_conflict'),
  intent_conflict: { ...texts('problem_conflict', 'restart', 'title_conflict'), mayBePaid: true },
  already_paid: PAID,
  order_unknown: texts('problem_unknown', 'support', 'title_unknown'),
  too_many_replacements: REPLACEMENTS,
  amount_out_of_bounds: BOUNDS,
  quantity_out_of_bounds: BOUNDS,
  option_not_available: OPTION,
  option_unknown: OPTION,
  customer_data_required: texts('problem_customer', 'back', 'title_customer'),
  rate_limited: { ...texts('problem_rate', 'retry', 'title_rate'), sign: 'time' },
  contract_mismatch: texts('problem_version', 'reload'),
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
  address_unverified: texts('problem_address', 'support', 'title_address'),
};

/** The customer cannot mend the address of a page that the relay serves. */
const LINK = texts('problem_link', 'shop', 'title_link');

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
    return { ...OTHER, ...texts('problem_token', 'anew', 'title_conflict') };
  // The last order cannot be paid any more, so no way may lead back to it.
  if (code === 'too_many_replacements' && /^(failed|expired)$/.test(outcome ?? ''))
    return { ...TOKEN, title: REPLACEMENTS.title };
  return own(TEXTS, code) ?? OTHER;
}

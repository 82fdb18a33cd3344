/**
 * Finds a text and fills its placeholders; a partner's or a locale's table stands above the English
 * one.
 */
import { own } from '../../relay/contract/read.js';
import type { Problem, ProblemCode } from '../problem.js';
import { en, type TextKey } from './en.js';
import type { TextTable } from './load-texts.js';

export type Texts = (key: TextKey, values?: Record<string, string>) => string;

/** @param partner the partner's words, which stand above the language's */
export const createTexts =
  (table: TextTable = {}, partner: TextTable = {}): Texts =>
  (key, values = {}) =>
    (own(partner, key) ?? own(table, key) ?? en[key]).replace(
      /\{(\w+)\}/g,
      (whole, name: string) => own(values, name) ?? whole,
    );

const SENTENCES: Partial<Record<ProblemCode, TextKey>> = {
  relay_unreachable: 'problem_relay_unreachable',
  service_unreachable: 'problem_service_unreachable',
  service_unavailable: 'problem_service_unreachable',
  service_timeout: 'problem_service_unreachable',
  service_unreadable: 'problem_service_unreachable',
  service_refused: 'problem_service_unreachable',
  token_invalid: 'problem_token',
  token_expired: 'problem_token',
  intent_conflict: 'problem_conflict',
  already_paid: 'problem_paid',
  order_unknown: 'problem_unknown',
  too_many_replacements: 'problem_replacements',
  amount_out_of_bounds: 'problem_bounds',
  quantity_out_of_bounds: 'problem_bounds',
  option_not_available: 'problem_bounds',
  customer_data_required: 'problem_customer',
  rate_limited: 'problem_rate',
  contract_mismatch: 'problem_version',
  attributes_wrong: 'problem_setup',
  not_configured: 'problem_setup',
  origin_refused: 'problem_setup',
  invalid_request: 'problem_setup',
  sku_unknown: 'problem_setup',
  currency_not_available: 'problem_setup',
  return_host_refused: 'problem_setup',
  token_contradicted: 'problem_setup',
  not_found: 'problem_setup',
  address_unverified: 'problem_address',
};

/** The customer's sentence for a problem. */
export function problemText({
  code,
  field,
  outcome,
}: Pick<Problem, 'code' | 'field' | 'outcome'>): TextKey {
  // reloading the page brings no newer relay
  if (code === 'contract_mismatch' && field !== undefined) return 'problem_setup';
  // "start the payment again" would be paid twice
  if (code === 'token_expired' && outcome === 'succeeded') return 'problem_paid';
  return own(SENTENCES, code) ?? 'problem_other';
}

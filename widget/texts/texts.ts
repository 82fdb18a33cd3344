/** Finds texts and fills their placeholders. */
import { own } from '../../relay/contract/read.js';
import type { Problem, ProblemCode } from '../problem.js';
import { en, type TextKey } from './en.js';
import type { TextTable } from './load-texts.js';

export type Texts = (key: TextKey, values?: Record<string, string>) => string;

/**
 * @param table texts of the language; a missing text falls back to English
 * @param partner texts of the partner, which override those of the language
 */
export const createTexts =
  (table: TextTable = {}, partner: TextTable = {}): Texts =>
  (key, values = {}) =>
    (own(partner, key) ?? own(table, key) ?? en[key]).replace(
      /\{(\w+)\}/g,
      (whole, name: string) => own(values, name) ?? whole,
    );

const PROBLEM_TEXTS: Partial<Record<ProblemCode, TextKey>> = {
  relay_unreachable: 'problem_relay_unreachable',
  service_unreachable: 'problem_service_unreachable',
  service_unavailable: 'problem_service_unreachable',
  service_timeout: 'problem_service_unreachable',
  service_unreadable: 'problem_service_unreachable',
  service_refused: 'problem_service_unreachable',
  token_invalid: 'problem_token',
  token_expired: 'problem_token',
  intent_conflict: 'problem_conflict',
  already_superseded: 'problem_token',
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

/** @returns the key of the sentence that the customer reads */
export function problemText({
  code,
  field,
  outcome,
}: Pick<Problem, 'code' | 'field' | 'outcome'>): TextKey {
  // The answer lacks a field, so the relay is older than this script: a reload does not help.
  if (code === 'contract_mismatch' && field !== undefined) return 'problem_setup';
  // The text of `problem_token` asks the customer to pay again, but the order is paid.
  if (code === 'token_expired' && outcome === 'succeeded') return 'problem_paid';
  return own(PROBLEM_TEXTS, code) ?? 'problem_other';
}

/** Languages whose sentences about money and failure a second reader translated back without seeing the English; the others are not reviewed. */
import type { TextKey } from './en.js';

export const sentencesOfMoney: readonly TextKey[] = [
  'confirming_hint',
  'change_warning',
  'other_payable',
  'failed_hint',
  'expired_hint',
  'unmapped_hint',
  'review_hint',
  'succeeded_hint',
  'deposit_hint',
  'network_warning',
  'tag_warning',
  'tag_gate',
  'address_only_warning',
  'paste_other',
  'already_paid',
  'wait_hint',
  'problem_relay_unreachable',
  'problem_service_unreachable',
  'problem_address',
  'problem_paid',
  'problem_other',
  'must_pay',
];

export const reviewed: Readonly<Record<string, string>> = {};

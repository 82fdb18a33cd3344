/** Why an order waits for a person; here for the console too, which loads no schema. */
export const reviewReasons = [
  'amount_mismatch',
  'currency_mismatch',
  'request_id_mismatch',
  'code_mismatch',
  'payee_mismatch',
  'two_links',
  'link_not_allowed',
  'by_table',
  'status_after_success',
  'paid_before_answer',
] as const;

export type ReviewReason = (typeof reviewReasons)[number];

/** The names of the outcomes, for the console, which loads no schema. */
export const outcomes = [
  'pending',
  'confirming',
  'succeeded',
  'failed',
  'expired',
  'unmapped',
  'review',
] as const;

/**
 * Rate limits: requests per minute of one address and for one intent, new deposit addresses per
 * minute, and new intents per hour of one address.
 */
import { Failure } from '../contract/failure.js';

/** What a limit counts. */
export type Bucket = 'ip' | 'intent' | 'deposit' | 'new_intent';

/** Counts one use of a key; false when the key has reached its limit. */
export type Limiter = (bucket: Bucket, key: string) => Promise<boolean>;

const MINUTE = { text: 'a minute', seconds: 60 };
const PERIODS: Record<Bucket, typeof MINUTE> = {
  ip: MINUTE,
  intent: MINUTE,
  deposit: MINUTE,
  new_intent: { text: 'an hour', seconds: 3600 },
};

/**
 * Counts one use; nothing is counted without a limiter or a key.
 *
 * @throws Failure `rate_limited`
 */
export async function checkRate(
  limiter: Limiter | undefined,
  bucket: Bucket,
  key: string | undefined,
): Promise<void> {
  if (!limiter || key === undefined || (await limiter(bucket, key))) return;
  const { seconds, text } = PERIODS[bucket];
  throw new Failure('rate_limited', `too many requests; ask again in ${text}`, undefined, {
    retry_after_s: seconds,
  });
}

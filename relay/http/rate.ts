/**
 * Rate limits: requests per minute of one address and for one intent, new deposit addresses per
 * minute, and new intents per hour of one address.
 */
import { Failure } from '../contract/failure.js';

/** What a limit counts. */
export type Bucket = 'ip' | 'intent' | 'deposit' | 'new_intent';

/** Counts one use of a key; false when the key has reached its limit. */
export type Limiter = (bucket: Bucket, key: string) => Promise<boolean>;

const PERIODS: Record<Bucket, string> = {
  ip: 'a minute',
  intent: 'a minute',
  deposit: 'a minute',
  new_intent: 'an hour',
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
  if (limiter && key !== undefined && !(await limiter(bucket, key)))
    throw new Failure('rate_limited', `too many requests; ask again in ${PERIODS[bucket]}`);
}

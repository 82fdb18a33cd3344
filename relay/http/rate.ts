/**
 * The rate gate: so many requests a minute from one address and for one intent,
 * so many new deposit addresses a minute, and so many new intents an hour from one address.
 */
import { Failure } from '../contract/failure.js';

export type Bucket = 'ip' | 'intent' | 'deposit' | 'new_intent';

/** Takes one point of a key; false when none is left in the bucket's minute or hour. */
export type Limiter = (bucket: Bucket, key: string) => Promise<boolean>;

const PERIODS: Record<Bucket, string> = {
  ip: 'a minute',
  intent: 'a minute',
  deposit: 'a minute',
  new_intent: 'an hour',
};

/** @throws Failure `rate_limited` */
export async function checkRate(
  limiter: Limiter | undefined,
  bucket: Bucket,
  key: string | undefined,
): Promise<void> {
  if (limiter && key !== undefined && !(await limiter(bucket, key)))
    throw new Failure('rate_limited', `too many requests; ask again in ${PERIODS[bucket]}`);
}

/** The rate gate: so many requests a minute from one address, for one intent, and so many new deposit addresses. */
import { Failure } from '../contract/failure.js';

export type Bucket = 'ip' | 'intent' | 'deposit';

/** Takes one point of a key; false when none is left in this minute. */
export type Limiter = (bucket: Bucket, key: string) => Promise<boolean>;

/** @throws Failure `rate_limited` */
export async function checkRate(
  limiter: Limiter | undefined,
  bucket: Bucket,
  key: string | undefined,
): Promise<void> {
  if (limiter && key !== undefined && !(await limiter(bucket, key)))
    throw new Failure('rate_limited', 'too many requests; ask again in a minute');
}

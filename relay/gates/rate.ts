/** The rate gate: so many requests a minute from one address. */
import { Failure } from '../contract/failure.js';

/** Takes one point of a key; false when none is left in this minute. */
export type Limiter = (key: string) => Promise<boolean>;

/** @throws Failure `rate_limited` */
export async function checkRate(limiter: Limiter | undefined, key: string | undefined): Promise<void> {
  if (limiter && key !== undefined && !(await limiter(key))) throw new Failure('rate_limited', 'too many requests; ask again in a minute');
}

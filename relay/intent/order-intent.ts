/** What may be charged; each of the three modes yields an OrderIntent. */
import { hex } from '@scure/base';
import type { Metadata } from '../contract/metadata.js';
import { sha256Of } from '../digest.js';
import type { IntentTerms } from '../contract/requests.js';

export type OrderIntent = IntentTerms & {
  /**
   * A token's `jti`, or the id derived from a page's attempt; null when the page sent no attempt.
   */
  readonly intent_id: string | null;
  /** Option ids that the token allows; null: all. */
  readonly options: readonly string[] | null;
  readonly metadata: Metadata | null;
  /** The token expired: it may show its order again, but not create one. */
  readonly expired: boolean;
  /** The token expired so long ago that it reads nothing but its order's outcome. */
  readonly stale: boolean;
  /**
   * The fields that contentDigest covers, in a fixed order. A ledger keeps the digests, so another
   * order of the fields would turn every known intent into a conflict.
   */
  readonly identity_fields: readonly (string | number | null)[];
};

/** The digest of each list of identity fields in its mode, since one request needs it thrice. */
const digests = new WeakMap<
  OrderIntent['identity_fields'],
  { mode: OrderIntent['mode']; digest: string }
>();

/** Two requests with one intent_id and different digests are a conflict. */
export function contentDigest({
  identity_fields,
  mode,
}: Pick<OrderIntent, 'identity_fields' | 'mode'>): string {
  const known = digests.get(identity_fields);
  if (known?.mode === mode) return known.digest;
  const digest = hex.encode(sha256Of(JSON.stringify([mode, ...identity_fields])));
  digests.set(identity_fields, { mode, digest });
  return digest;
}

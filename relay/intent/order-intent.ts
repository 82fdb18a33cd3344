/** What may be charged, once: all three modes end here. */
import type { IntentMode } from '../contract/order.js';

export type OrderIntent = {
  readonly mode: IntentMode;
  /** `jti`, or of a page mode the intent of its attempt; null when a page only asks. */
  readonly intentId: string | null;
  /** Of a catalogue intent. */
  readonly sku: string | null;
  readonly quantity: number | null;
  readonly amount: string;
  readonly currency: string;
  readonly productName: string;
  readonly customerRefId: string;
  readonly payCurrency: string | null;
  readonly remark: string | null;
  readonly returnUrl: string | null;
  /** Option ids that the token allows; null: all. */
  readonly options: readonly string[] | null;
  /** The token expired: it may resume its order, not create one. */
  readonly expired: boolean;
  /** It expired so long ago that it tells the outcome alone. */
  readonly stale: boolean;
  /**
   * What the intent says, in a fixed order: the same identity with another content is a conflict.
   */
  readonly content: readonly (string | number | null)[];
};

export async function contentDigest(intent: OrderIntent): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([intent.mode, ...intent.content]));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

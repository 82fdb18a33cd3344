/** The crypto assets of `deposits`. */
import { z } from 'zod';
import { amountText, assetName } from '../contract/requests.js';
import { label } from '../contract/responses.js';

const text = z.string().min(1);

/** Families whose address form and payment URI the relay knows (`deposits/`). */
const addressFamilies = [
  'bitcoin',
  'litecoin',
  'dogecoin',
  'ethereum',
  'solana',
  'ripple',
  'stellar',
  'tron',
] as const;
export type AddressFamily = (typeof addressFamilies)[number];

/** The schema of an asset that customers may deposit. */
export const deposit = z.strictObject({
  currency: assetName,
  label: label.optional(),
  network: text.optional(),
  tag_label: label.optional(),
  uri_family: z.enum(addressFamilies).optional(),
  /** The chain of an address of the ethereum family (ERC-681). */
  chain_id: z.int().min(1).optional(),
  /** The type of a tag of the stellar family (SEP-7). */
  memo_type: z.enum(['MEMO_ID', 'MEMO_TEXT']).optional(),
  /** Whether to call verifyDepositAddress before an address is shown. */
  verify: z.boolean().default(false),
  minimum: amountText.optional(),
});
export type DepositAsset = z.output<typeof deposit>;

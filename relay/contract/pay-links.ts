/** Pay links: what the shop's backend asks for, and the answers. */
import { z } from 'zod';
import { identifier, saleFields } from './requests.js';

/** Ninety days. */
export const MAX_LINK_LIFETIME_S = 7_776_000;
const MAX_USES = 10_000;

/** What a link sells; `jti` names its intent. */
export const payLinkTerms = z.strictObject(saleFields);
export type PayLinkTerms = z.infer<typeof payLinkTerms>;

export const payLinkRequest = z
  .strictObject({
    ...saleFields,
    /** Seconds; at most 90 days, and no longer than the relay keeps its orders. */
    expires_in: z.int().min(1).max(MAX_LINK_LIFETIME_S),
    /** How many intents the link opens: one for each browser that pays by it. */
    uses: z.int().min(1).max(MAX_USES).default(1),
  })
  .refine(({ jti, uses }) => jti === undefined || uses === 1, {
    error: 'only with a single use, since every use is an intent of its own',
    path: ['jti'],
  });

export type PayLinkRequest = z.input<typeof payLinkRequest>;

export const payLinkResponse = z.object({
  pay_link_id: z.string(),
  url: z.string(),
  /** A picture of the QR code of `url`, as SVG. */
  qr_url: z.string(),
  expires_at: z.iso.datetime(),
});
export type PayLinkResponse = z.infer<typeof payLinkResponse>;

export const revokePayLinkRequest = z.strictObject({ pay_link_id: identifier });

export const revokePayLinkResponse = z.object({
  pay_link_id: z.string(),
  revoked_at: z.iso.datetime(),
});
export type RevokePayLinkResponse = z.infer<typeof revokePayLinkResponse>;

/** The addresses that a relay had before it moved; the ledger keeps them. */
import { z } from 'zod';

/** The setting that holds them. */
export const FORMER_URLS = 'former_public_urls';

const formerUrls = z.array(z.strictObject({ public_url: z.string(), until: z.number() }));

/** `until`: when tokens for the address are no longer accepted. */
export type FormerUrl = z.infer<typeof formerUrls>[number];

export const readFormerUrls = (text: string): FormerUrl[] => formerUrls.parse(JSON.parse(text));

/** The two kinds of image that the element shows: the shop's logo, and the icons of options. */
import { z } from 'zod';
import { hostMatches, isLoopback } from './links.js';
import { readUrl } from './web-addresses.js';

const MAX_URL_CHARACTERS = 2048;

export const imageUrl = z
  .string()
  .max(MAX_URL_CHARACTERS)
  .refine((value) => readUrl(value, isLoopback) !== null, {
    error: 'an https URL without user or password (http on loopback)',
  })
  .transform((value) => new URL(value).href);

type Images = {
  public_url: string;
  shop: {
    origins: readonly string[];
    image_hosts: readonly string[];
    logo_url?: string | undefined;
  };
  options: readonly { icon_url?: string | undefined }[];
};

/**
 * Finds the images that no page shows: their host is neither that of a page, nor that of the relay,
 * nor in `shop.image_hosts`.
 *
 * @returns the paths of their fields
 */
export function unshownImages({ options, public_url, shop }: Images): string[] {
  const origins = [...shop.origins, new URL(public_url).origin];
  const isShown = (image: URL): boolean =>
    origins.includes(image.origin) ||
    (image.protocol === 'https:' &&
      image.port === '' &&
      hostMatches(image.hostname, shop.image_hosts));
  const images = [
    { path: 'shop.logo_url', url: shop.logo_url },
    ...options.map(({ icon_url }, at) => ({ path: `options.${at}.icon_url`, url: icon_url })),
  ];
  return images.flatMap(({ path, url }) =>
    url === undefined || isShown(new URL(url)) ? [] : [path],
  );
}

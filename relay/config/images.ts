/** The images that the element shows: the shop's logo, and the icons of options and wallets. */
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
  options: readonly (WithIcon & { wallets?: readonly WithIcon[] | undefined })[];
};
type WithIcon = { icon_url?: string | undefined };

/**
 * Finds the images that no page shows: their host is neither that of a page, nor that of the relay,
 * nor in `shop.image_hosts`.
 *
 * @returns the paths of their fields; of the wallets of an option, the first one on each host
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
    ...options.flatMap(({ icon_url, wallets = [] }, at) => [
      { path: `options.${at}.icon_url`, url: icon_url },
      ...firstOnEachHost(wallets).map(([wallet, url]) => ({
        path: `options.${at}.wallets.${wallet}.icon_url`,
        url,
      })),
    ]),
  ];
  return images.flatMap(({ path, url }) =>
    url === undefined || isShown(new URL(url)) ? [] : [path],
  );
}

const firstOnEachHost = (wallets: readonly WithIcon[]): (readonly [index: number, url: string])[] =>
  wallets
    .flatMap(({ icon_url }, index) => (icon_url === undefined ? [] : [[index, icon_url] as const]))
    .filter(
      ([, url], at, icons) =>
        icons.findIndex(([, other]) => new URL(other).host === new URL(url).host) === at,
    );

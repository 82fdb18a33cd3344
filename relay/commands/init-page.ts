/** The first page that `init` writes, which pays in the sandbox. */
import { isLoopback } from '../config/links.js';
import type { Config } from '../config/schema.js';
import { DAY_S } from '../contract/durations.js';
import { signOrderToken } from '../intent/sign-order-token.js';

/** The address of the shop's pages, which `init` has asked for. */
export const pageOrigin = ({ shop }: Config): URL => new URL(shop.origins[0] ?? '');

/** Whether a static server on this machine can serve the page: the shop has no other server. */
export function needsPage(config: Config): boolean {
  const { hostname, origin, protocol } = pageOrigin(config);
  const shopHasServer =
    config.shop_events !== undefined || new URL(config.public_url).origin === origin;
  return !shopHasServer && protocol === 'http:' && isLoopback(hostname);
}

/**
 * @param file the name of the configuration
 * @returns HTML with an item of the catalogue, or with a token for one order, valid for a day
 */
export async function firstPage(config: Config, file: string, now: number): Promise<string> {
  const [sku] = Object.keys(config.catalogue ?? {});
  const [currency = 'USD'] = config.options[0]?.currencies ?? [];
  const attribute =
    sku === undefined
      ? `order-token="${await firstToken(config, currency, now)}"`
      : `sku="${escape(sku)}"`;
  const comment =
    sku === undefined
      ? 'For a first try: this token is for one order, and valid for a day. The shop’s backend ' +
        'signs one for each order.'
      : `The price is in the catalogue of ${escape(file)}.`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="data:," />
    <title>${escape(config.shop.name)}</title>
    <script src="${escape(config.public_url)}/pay-checkout.js" defer></script>
  </head>
  <body>
    <!-- ${comment} -->
    <pay-checkout ${attribute}></pay-checkout>
  </body>
</html>
`;
}

async function firstToken(config: Config, currency: string, now: number): Promise<string> {
  const sale = { amount: '20', currency, product_name: 'T-shirt', customer_ref_id: 'first-try' };
  return (await signOrderToken(config, { ...sale, expires_in: DAY_S }, now)).token;
}

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

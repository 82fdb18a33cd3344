/** The first page that `init` writes, which pays in the sandbox. */
import type { Config } from '../config/schema.js';
import { DAY_S } from '../contract/durations.js';
import { signOrderToken } from '../intent/sign-order-token.js';

/** @returns HTML with an item of the catalogue, or with a token for one order, valid for a day */
export async function firstPage(config: Config, now: number): Promise<string> {
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
      : 'The price is in the catalogue of relay.config.json.';
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
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

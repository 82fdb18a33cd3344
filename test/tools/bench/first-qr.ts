/** Time from the navigation to a QR code on a slow phone's screen, and the bytes until then. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { BEGIN_TEXT } from '../../../relay/contract/begin-text.js';
import { payCheckout } from '../../../relay/adapters/hono.js';
import { qrSvg } from '../../../relay/pay-links/qr-svg.js';
import { sandboxListener } from '../../../relay/sandbox/serve.js';
import { createSandbox } from '../../../relay/sandbox/sandbox.js';
import { checkoutChild, renderCheckout, signOrderToken } from '../../../widget/shop/index.js';
import { launchBrowser } from '../../suite/support/browser.js';
import { buildWidget } from '../../suite/support/built-widget.js';
import { SECRETS, testConfig } from '../../suite/support/world.js';
import type { BenchSizes } from './sizes.js';
import { ADYEN, rivalPages, type PageFiles } from './first-qr-rivals.js';
import { visit, type VisitOptions } from './first-qr-visit.js';
import type { Bench } from './table.js';

const OPTION = 'qr';
/** A code that is as long as a bank's code. */
const CODE = `https://qr.example/${'a'.repeat(80)}`;
const TYPES: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

type Contender = {
  name: string;
  /** @returns the URL of a new page */
  open: () => Promise<string>;
  options: VisitOptions;
  values: Record<string, number[]>;
};

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Serves files with Brotli, as a shop's web server does. */
const serveFiles = (files: PageFiles): Promise<string> =>
  listen(
    createServer((request, response) => {
      const path = request.url === '/' ? '/index.html' : (request.url ?? '');
      const body = files.get(path);
      response.setHeader('content-type', TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain');
      response.setHeader('content-encoding', 'br');
      response.writeHead(body === undefined ? 404 : 200);
      response.end(brotliCompressSync(body ?? ''));
    }),
  );

/** The shop's pages, mostly on the relay's origin, and the contenders that use them. */
async function startShop(): Promise<Contender[]> {
  Object.assign(process.env, SECRETS);
  const sandbox = createSandbox({ publicUrl: 'http://127.0.0.1' });
  const service = await listen(createServer(sandboxListener(sandbox)));
  const pages = new Map<string, string>();
  const app = new Hono();
  const serve = getRequestListener((request, env) => app.fetch(request, env));
  const start = (): Promise<string> =>
    listen(createServer((request, response) => void serve(request, response)));
  const [url, otherOrigin] = await Promise.all([start(), start()]);
  const relay = `${url}/pay`;
  const config = {
    ...testConfig,
    service: { base_url: service },
    public_url: relay,
    shop: { ...testConfig.shop, origins: [otherOrigin] },
    options: testConfig.options?.filter(({ id }) => id === OPTION),
  };
  app.route('/pay', payCheckout({ config }));
  app.get('/shop/:name', (c) => {
    const body = brotliCompressSync(pages.get(c.req.param('name')) ?? '');
    return c.body(body, 200, { 'content-type': 'text/html', 'content-encoding': 'br' });
  });

  const access = { relay, secret_key: SECRETS.SECRET ?? '' };
  const newToken = (): Promise<string> =>
    signOrderToken(
      {
        aud: relay,
        jti: crypto.randomUUID(),
        amount: '12.50',
        currency: 'USD',
        product_name: 'A tree',
        customer_ref_id: 'c-1',
      },
      { kid: testConfig.order_token_keys?.[0]?.kid ?? '', secret: SECRETS.TOKEN ?? '' },
    );
  const pay = (order_token: string): Promise<Response> =>
    fetch(`${relay}/v1/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ order_token, option: OPTION, attempt: crypto.randomUUID() }),
    });
  const ELEMENT = `<script src="${relay}/pay-checkout.js" defer></script>`;
  const BEGIN = `<script>${BEGIN_TEXT}</script>`;
  const contender = (
    name: string,
    page: (token: string) => Promise<string>,
    origin = url,
    language = 'en',
  ): Contender => ({
    name,
    options: {},
    values: {},
    open: async () => {
      const path = crypto.randomUUID();
      pages.set(
        path,
        `<!doctype html><html lang="${language}"><meta charset="utf-8" /><title>Pay</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${await page(await newToken())}</html>`,
      );
      return `${origin}/shop/${path}`;
    },
  });
  const PREFETCH =
    '<link rel="prefetch" as="script" href="/pay/pay-checkout.js" />' +
    '<link rel="prefetch" as="fetch" href="/pay/locales/en.json" crossorigin />';
  pages.set('basket', `<!doctype html><title>Basket</title>${PREFETCH}`);
  const afterBasket = ({ name, ...rest }: Contender): Contender => {
    const options = { previous: `${url}/shop/basket` };
    return { ...rest, name: `${name}, prefetched`, options, values: {} };
  };
  const withTouch = ({ name, ...rest }: Contender): Contender => {
    const options = { hasTouchScreen: true, mustBeReadable: false };
    return { ...rest, name: `${name}, touch screen`, options, values: {} };
  };
  const tag = (token: string, child = ''): string =>
    `<pay-checkout order-token="${token}">${child}</pay-checkout>`;
  const paid =
    (behind = '') =>
    async (token: string): Promise<string> => {
      await pay(token);
      return ELEMENT + tag(token) + behind;
    };
  const plain = contender('order exists', paid());
  const begun = contender('order exists, script behind the tag', paid(BEGIN));
  const chosen = contender('choice and pay', async (token) => ELEMENT + tag(token));
  const answered = contender(
    'choice and pay, answer in the page',
    async (token) =>
      ELEMENT + tag(token, await checkoutChild(access, { order_token: token })) + BEGIN,
  );
  return [
    plain,
    withTouch(plain),
    afterBasket(plain),
    begun,
    contender('order exists, script behind the tag, in German', paid(BEGIN), url, 'de'),
    contender('order exists, another origin', paid(), otherOrigin),
    contender('order exists, script behind the tag, another origin', paid(BEGIN), otherOrigin),
    chosen,
    contender(
      'choice and pay, script behind the tag',
      async (token) => ELEMENT + tag(token) + BEGIN,
    ),
    withTouch(chosen),
    answered,
    afterBasket(answered),
    contender(
      'rendered on the server',
      async (token) =>
        ELEMENT + (await renderCheckout(access, { order_token: token, styles: 'inline' })),
    ),
  ];
}

const served = (name: string, url: string): Contender => ({
  name,
  options: { mustBeReadable: name !== ADYEN },
  values: {},
  open: async () => url,
});

export async function firstQr({ rounds }: BenchSizes): Promise<Bench> {
  buildWidget();
  const page = `<!doctype html><title>Pay</title><style>svg{width:280px}</style>${qrSvg(CODE)}`;
  const contenders = [
    served('limit: SVG in the page', await serveFiles(new Map([['/index.html', page]]))),
    ...(await startShop()),
  ];
  for (const [name, files] of await rivalPages(CODE))
    contenders.push(served(name, await serveFiles(files)));
  const browser = await launchBrowser();
  for (let round = 0; round < rounds; round++)
    for (const { open, options, values } of contenders) {
      const visited = await visit(browser, await open(), options);
      (values['to the code'] ??= []).push(visited.codeShownAfterMs);
      (values['received'] ??= []).push(visited.receivedBytes / 1000);
    }
  await browser.close();
  return {
    about:
      'From the navigation to a QR code on the screen of a phone ("Slow 4G" of Chromium\'s ' +
      'developer tools, CPU slowed down four times), and what the page has received until then. ' +
      'The order service answers at once. Pay is pressed as soon as it can be. Adyen and ' +
      'bitcoin-connect show a code that the page has already; the time of Adyen ends when its ' +
      'page requests the picture, because that comes from Adyen’s servers. "Prefetched": the ' +
      'page before it, such as the basket, has loaded the scripts with `<link rel="prefetch">`. ' +
      'Each answer of a server takes at least 563 ms here, and a page waits for one (rendered on ' +
      'the server), two (prefetched), three or four (choice and pay) of them. "Touch screen": ' +
      'the action that pays with the code counts, because a phone cannot scan its own screen.',
    columns: [
      { name: 'to the code', unit: 'ms' },
      { name: 'received', unit: 'kB' },
    ],
    rows: contenders,
    rounds,
  };
}

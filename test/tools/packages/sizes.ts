/**
 * The sizes of what a page loads: the scripts of element and console, and a page whose first
 * response has the QR code (POST /v1/render). The element itself loads no style sheet, font or
 * picture.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { QR, sampleOrder } from '../../../demo/sample-answers.js';
import { CONTRACT } from '../../../relay/contract/paths.js';
import { loadAssets, rendererBeside } from '../../../relay/node/load-assets.js';

/** Bytes of one file or page; `budget` is the most that `compression` may leave. */
export type Size = {
  name: string;
  raw: number;
  gzip: number;
  brotli: number;
  compression: 'gzip' | 'brotli';
  budget: number;
};

/** A token is signed, so it does not compress. */
const ORDER_TOKEN = randomBytes(400).toString('base64url');

const script = new URL('../../../dist/pay-checkout.js', import.meta.url);

/** Reads the built script. */
export async function readSizes(): Promise<Size[]> {
  return [
    {
      name: 'pay-checkout.js',
      ...bytesOf(readFileSync(fileURLToPath(script), 'utf8')),
      // as the relay serves it: the build chooses the settings
      brotli: readFileSync(fileURLToPath(`${script.href}.br`)).length,
      compression: 'brotli',
      budget: 35_000,
    },
    {
      name: 'console.js (the operator’s console)',
      ...bytesOf(readFileSync(fileURLToPath(new URL('console/console.js', script)), 'utf8')),
      compression: 'brotli',
      budget: 40_000,
    },
    {
      name: 'page of /v1/render (with the QR code)',
      ...bytesOf(await pageWithCode()),
      compression: 'gzip',
      // ten packets: a server sends them before the browser has acknowledged the first (RFC 6928)
      budget: 14_336,
    },
  ];
}

function bytesOf(body: string): Pick<Size, 'raw' | 'gzip' | 'brotli'> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  return {
    raw: Buffer.byteLength(body),
    gzip: gzipSync(body, { level: 9 }).length,
    brotli: brotliCompressSync(body, { params }).length,
  };
}

/** A shop's page with a bank's QR code, as the guide has it. */
async function pageWithCode(): Promise<string> {
  const render = await rendererBeside(
    script,
    loadAssets(script, () => {}),
  )();
  const now = Date.now();
  const checkout = {
    amount: '48.50',
    currency: 'EUR',
    product_name: 'Huila, washed, 1 kg',
    options: [{ id: 'sbp', label: 'SBP', payment_method: 'direct' }],
    livemode: true,
    shop_name: 'Bean & Leaf',
    link_schemes: [],
  };
  const order = sampleOrder(now, { next_action: { kind: 'scan_qr', qrcode_string: QR } });
  const element = await render({
    answer: { contract: CONTRACT, checkout, order },
    orderToken: ORDER_TOKEN,
    option: undefined,
    locale: undefined,
    relay: 'https://shop.example/pay',
    inlineStyles: true,
    nonce: undefined,
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" /><title>Pay</title>
    <script src="https://shop.example/pay/pay-checkout.js" async></script></head>
    <body>${element}</body></html>`;
}

/**
 * `npm run size` measures the script that a page loads before it can show the first QR code, the
 * second script, and a page whose first response has the QR code (POST /v1/render). The element
 * itself loads no style sheet, font or picture.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { QR, sampleOrder } from '../demo/sample-answers.js';
import { CONTRACT } from '../relay/contract/paths.js';
import { rendererBeside } from '../relay/node/load-renderer.js';

const MAX_BROTLI_BYTES = 26_900;
/** The second script, with every screen that is not needed to show the first QR code. */
const MAX_LATER_BROTLI_BYTES = 12_900;
/** Ten packets: a server sends them before the browser has acknowledged the first (RFC 6928). */
const MAX_PAGE_GZIP_BYTES = 14_336;
/** A token is signed, so it does not compress. */
const ORDER_TOKEN = randomBytes(400).toString('base64url');

const script = new URL('../dist/pay-checkout.js', import.meta.url);

/** Prints the sizes of a file. */
function print(name: string, body: string | Uint8Array, budget: string): Record<string, number> {
  const brotli = brotliCompressSync(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  }).length;
  const gzip = gzipSync(body, { level: 9 }).length;
  const raw = Buffer.byteLength(body);
  console.log(`${name}  raw ${raw}  gzip ${gzip}  brotli ${brotli}  ${budget}`);
  return { brotli, gzip };
}

function check(bytes: number | undefined, budget: number): void {
  if (bytes !== undefined && bytes <= budget) return;
  console.error(`size: ${(bytes ?? 0) - budget} bytes above the budget`);
  process.exitCode = 1;
}

/** A shop's page with a bank's QR code, as the guide has it. */
async function pageWithCode(): Promise<string> {
  const render = await rendererBeside(script, new Map())();
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

const element = print(
  'pay-checkout.js',
  readFileSync(fileURLToPath(script)),
  `budget ${MAX_BROTLI_BYTES} (script loaded before the first QR code, brotli)`,
);
const [laterName = ''] =
  /pay-checkout-later\.[0-9a-f]{16}\.js/.exec(readFileSync(fileURLToPath(script), 'utf8')) ?? [];
const later = print(
  'second script',
  readFileSync(fileURLToPath(new URL(laterName, script))),
  `budget ${MAX_LATER_BROTLI_BYTES} (the other screens, brotli)`,
);
const page = print(
  'page of /v1/render',
  await pageWithCode(),
  `budget ${MAX_PAGE_GZIP_BYTES} (first response with the QR code, gzip)`,
);
check(element.brotli, MAX_BROTLI_BYTES);
check(later.brotli, MAX_LATER_BROTLI_BYTES);
check(page.gzip, MAX_PAGE_GZIP_BYTES);

/**
 * `npm run size` measures the script that a page loads before it can show the first QR code. The
 * element loads no style sheet, font or picture.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const MAX_BROTLI_BYTES = 28_000;

const body = readFileSync(fileURLToPath(new URL('../dist/pay-checkout.js', import.meta.url)));
const brotli = brotliCompressSync(body, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
}).length;
const gzip = gzipSync(body, { level: 9 }).length;
console.log(
  `pay-checkout.js  raw ${body.length}  gzip ${gzip}  brotli ${brotli}  ` +
    `budget ${MAX_BROTLI_BYTES} (script loaded before the first QR code)`,
);
if (brotli > MAX_BROTLI_BYTES) {
  console.error(`size: ${brotli - MAX_BROTLI_BYTES} bytes above the budget`);
  process.exit(1);
}

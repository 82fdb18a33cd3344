/**
 * `npm run size`: what a page transfers until the first QR code has ink. One script, no style
 * sheet, no font, no picture.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Bytes of script under brotli. */
const BUDGET = 28_000;

const body = readFileSync(fileURLToPath(new URL('../dist/pay-checkout.js', import.meta.url)));
const brotli = brotliCompressSync(body, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
}).length;
const gzip = gzipSync(body, { level: 9 }).length;
console.log(
  `pay-checkout.js  raw ${body.length}  gzip ${gzip}  brotli ${brotli}  budget ${BUDGET} (script transferred until the first QR has ink)`,
);
if (brotli > BUDGET) {
  console.error(`size: ${brotli - BUDGET} bytes above the budget`);
  process.exit(1);
}

/** What a page loads before it can show its first QR code. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { root } from '../../proofs/processes.js';
import { buildWidget } from '../../suite/support/built-widget.js';
import { ADYEN, BITCOIN_CONNECT, firstFilesOf } from './first-qr-rivals.js';
import type { Bench, Row } from './table.js';

const BYTES_PER_KB = 1000;

export async function bytes(): Promise<Bench> {
  buildWidget();
  return {
    about:
      'Scripts, style sheets and texts in English that a page loads before its first QR code, ' +
      'each compressed by itself. The scripts of the others contain their texts. The limit is ' +
      'the library of the element together with that of its QR codes.',
    columns: ['brotli', 'gzip', 'raw'].map((name) => ({ name, unit: 'kB' })),
    rows: [
      rowOf('limit: Lit and qrcode', await firstFilesOf('lit-qrcode')),
      rowOf('pay-checkout', [builtFile('pay-checkout.js'), builtFile('locales/en.json')]),
      rowOf(ADYEN, await firstFilesOf('adyen')),
      rowOf(BITCOIN_CONNECT, await firstFilesOf('bitcoin-connect')),
    ],
    rounds: 1,
  };
}

const builtFile = (name: string): string => readFileSync(`${root}dist/${name}`, 'utf8');

function rowOf(name: string, files: readonly string[]): Row {
  const sum = (sizeOf: (file: string) => number): number[] => [
    files.reduce((total, file) => total + sizeOf(file), 0) / BYTES_PER_KB,
  ];
  return {
    name,
    values: {
      brotli: sum((file) => brotliCompressSync(file).length),
      gzip: sum((file) => gzipSync(file, { level: 9 }).length),
      raw: sum((file) => Buffer.byteLength(file)),
    },
  };
}

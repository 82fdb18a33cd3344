/** The files that the relay serves, compressed by the build or by the relay. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gunzipSync,
  gzipSync,
} from 'node:zlib';
import { loadAssets } from '../../../../relay/node/load-assets.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('assets');

const SOURCE = 'const element = 1;\n'.repeat(50);
/** Compresses with other settings than the relay, so that the test recognises the bytes. */
const brotliOf = (text: string): Buffer =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } });
const gzipOf = (text: string): Buffer => gzipSync(text, { level: 1, strategy: constants.Z_RLE });

async function load(name: string, br?: Buffer, gz?: Buffer): Promise<{ br: Buffer; gzip: Buffer }> {
  const file = join(folder, name);
  writeFileSync(file, SOURCE);
  if (br) writeFileSync(`${file}.br`, br);
  if (gz) writeFileSync(`${file}.gz`, gz);
  const script = loadAssets(pathToFileURL(file), () => {}).get('pay-checkout.js');
  assert.ok(script?.br && script.gzip);
  return { br: Buffer.from(await script.br()), gzip: Buffer.from(await script.gzip()) };
}

describe('the compressed script', () => {
  it('serves the compressed script that the build wrote', async () => {
    const { br, gzip } = await load('built.js', brotliOf(SOURCE), gzipOf(SOURCE));
    assert.deepEqual(br, brotliOf(SOURCE));
    assert.deepEqual(gzip, gzipOf(SOURCE));
  });

  it('compresses the script itself when the build wrote no compressed file', async () => {
    const { br, gzip } = await load('alone.js');
    assert.equal(brotliDecompressSync(br).toString(), SOURCE);
    assert.equal(gunzipSync(gzip).toString(), SOURCE);
  });

  it('compresses the script itself when a compressed file is old or damaged', async () => {
    const other = brotliOf(`${SOURCE}// of an older build`);
    const { br, gzip } = await load('older.js', other, Buffer.from('no gzip'));
    assert.equal(brotliDecompressSync(br).toString(), SOURCE);
    assert.equal(gunzipSync(gzip).toString(), SOURCE);
  });
});

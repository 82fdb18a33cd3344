/** Builds the renderer as the package does, with the texts of the element beside it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import type { LoadRender } from '../../../relay/contract/render.js';
import { rendererBeside } from '../../../relay/node/load-assets.js';
import type { Asset } from '../../../relay/routes/assets.js';
import { en } from '../../../widget/texts/en.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const fileOf = (locale: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    locale === 'en'
      ? Buffer.from(JSON.stringify({ locale, ...en }))
      : readFileSync(`${root}widget/texts/locales/${locale}.json`),
  );

const textsOf = (locale: string): [string, Asset] => [
  `locales/${locale}.json`,
  {
    type: 'application/json',
    body: fileOf(locale),
    immutable: false,
    etag: '',
  },
];

export async function buildRenderer(
  locales: readonly string[] = ['en'],
): Promise<{ loadRender: LoadRender; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-renderer-'));
  const configFile = `${root}vite.config.ts`;
  await build({ root, configFile, mode: 'renderer', logLevel: 'error', build: { outDir: folder } });
  const script = pathToFileURL(join(folder, 'pay-checkout.js'));
  return {
    loadRender: rendererBeside(script, new Map(locales.map(textsOf))),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

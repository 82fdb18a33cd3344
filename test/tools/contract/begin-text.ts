/** Builds widget/begin.ts as a text that a page has inside a script tag. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { build } from 'vite';
import { minified } from '../../../vite.config.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const MAX_CHUNK = 76;

/** @returns the source of relay/contract/begin-text.ts */
export async function beginText(): Promise<string> {
  const results = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      ...minified,
      write: false,
      lib: { entry: 'widget/begin.ts', formats: ['iife'], name: 'PayCheckoutBegin' },
    },
  });
  const outputs = Array.isArray(results) ? results : [results];
  const [chunk] = outputs.flatMap((result) => ('output' in result ? result.output : []));
  if (chunk?.type !== 'chunk') throw new Error('widget/begin.ts was not built');
  const text = chunk.code.trim();
  if (/<\/script|<!--/i.test(text)) throw new Error('the text would end its script tag');
  const hash = createHash('sha256').update(text).digest('base64');
  const chunks = text.match(new RegExp(`.{1,${MAX_CHUNK}}`, 'gs')) ?? [];
  const source = `// Written by \`npm run contract\` from widget/begin.ts. An edit here is lost.

/**
 * The text of a script tag behind the element's tag. It asks for the checkout and the texts while
 * the element's script is still loading.
 */
export const BEGIN_TEXT = [${chunks.map((each) => JSON.stringify(each)).join()}].join('');

/** Names the text in a content security policy. */
export const BEGIN_HASH = 'sha256-${hash}';
`;
  return format(source, { parser: 'typescript', singleQuote: true, printWidth: 100 });
}

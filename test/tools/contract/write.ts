/** `npm run contract` rewrites the files made from the public contract, after a wanted change. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { beginText } from './begin-text.js';
import { publicContract } from './public-contract.js';
import { generatedPages } from './generated-pages.js';
import { operatorOutputs } from './operator-outputs.js';
import { openApi } from './reference.js';
import { textKeys } from './text-keys.js';

const write = (path: string, text: string): void =>
  writeFileSync(fileURLToPath(new URL(path, import.meta.url)), text);
const asJson = (value: unknown): Promise<string> =>
  format(JSON.stringify(value, null, 2), { parser: 'json', printWidth: 100 });

write('public-contract.json', await asJson(await publicContract()));
write('../../../docs/openapi.json', await asJson(openApi()));
write('../../../docs/operator-output.schema.json', await asJson(operatorOutputs()));
write('../../../relay/contract/begin-text.ts', await beginText());
write('../../../relay/config/text-keys.ts', await textKeys());
for (const [page, text] of Object.entries(await generatedPages()))
  write(`../../../docs/${page}`, text);

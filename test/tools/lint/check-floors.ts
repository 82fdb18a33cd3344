/** `npm run floors` checks the imports of the relay and the widget. */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { violations } from './floors.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const files = new Map<string, string>();
for (const tree of ['relay', 'widget'])
  for (const name of readdirSync(root + tree, { recursive: true }) as string[])
    if (name.endsWith('.ts'))
      files.set(`${tree}/${name}`, readFileSync(`${root}${tree}/${name}`, 'utf8'));

const found = violations(files);
for (const line of found) console.error(line);
console.log(`floors: ${files.size} files, ${found.length} violations`);
process.exit(found.length === 0 ? 0 : 1);

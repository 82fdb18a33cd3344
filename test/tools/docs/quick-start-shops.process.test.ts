/** The programs of the quick starts that run on Node.js; `npm run runtimes` runs the others. */
import { fileURLToPath } from 'node:url';
import { describeQuickStart } from './quick-start-shop.js';
import { withSources } from './run-block.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const tsx = [process.execPath, '--import', import.meta.resolve('tsx')] as const;

for (const name of ['express', 'fastify', 'hono'])
  describeQuickStart({
    name,
    above: `${root}node_modules`,
    relayCommand: [...tsx, `${root}relay/commands/main.ts`],
    runner: tsx,
    withImports: withSources,
  });

/** Starts the demo from the command line. */
import { parseArgs } from 'node:util';
import { buildElement } from './build-element.js';
import { startDemo } from './start.js';

const { values } = parseArgs({ options: { port: { type: 'string', default: '5173' } } });
try {
  process.stdout.write('\n  Building the element. The demo shop starts after it.\n');
  await buildElement();
  const demo = await startDemo(Number(values.port));
  const { key, url } = demo.console;
  process.stdout.write(`\n  pay-checkout demo shop: ${demo.url}/\n`);
  process.stdout.write(`  for whoever runs it:    ${url}  (key: ${key})\n\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void demo.close().then(() => process.exit(0)));
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

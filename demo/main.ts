/** Starts the demo from the command line. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { startDemo } from './start.js';

const USAGE = 'npm start -- [--port 5173]';

function readArguments(): { help?: boolean; port: string } {
  try {
    const options = {
      help: { type: 'boolean' },
      port: { type: 'string', default: '5173' },
    } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
    return process.exit(2);
  }
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Builds what the relay serves: the element, the renderer of its views, the console. */
async function buildElement(): Promise<void> {
  const configFile = `${root}vite.config.ts`;
  for (const mode of ['production', 'renderer', 'console'])
    await build({ root, configFile, mode, logLevel: 'error' });
}

const { help, port } = readArguments();
if (help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit();
}
try {
  process.stdout.write('\n  Building the element. The demo shop starts after it.\n');
  await buildElement();
  const demo = await startDemo(Number(port));
  const { key, url } = demo.console;
  process.stdout.write(`\n  pay-checkout demo shop: ${demo.url}/\n`);
  process.stdout.write(`  for whoever runs it:    ${url}  (key: ${key})\n\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void demo.close().then(() => process.exit(0)));
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/** Builds what the demo's relay serves: the element, the renderer of its views, the console. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

export async function buildElement(): Promise<void> {
  const configFile = `${root}vite.config.ts`;
  for (const mode of ['production', 'renderer', 'console'])
    await build({ root, configFile, mode, logLevel: 'error' });
}

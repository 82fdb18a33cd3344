/** Builds the element that the demo's relay serves, and the renderer of its views. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

export async function buildElement(): Promise<void> {
  const configFile = `${root}vite.config.ts`;
  for (const mode of ['production', 'renderer'])
    await build({ root, configFile, mode, logLevel: 'error' });
}

/** Compares a plugin that its platform's compiler built with the packed one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @throws Error when the packed plugin is not what the compiler made */
export function comparePlugin(built: string, packed: string): void {
  const files = new Set([...filesIn(built), ...filesIn(packed)]);
  const different = [...files].filter((file) => textOf(built, file) !== textOf(packed, file));
  if (different.length > 0 || files.size === 0)
    throw new Error(`the packed plugin differs from what is built here: ${different.join(', ')}`);
}

/** Medusa builds pages for administrators too, and the plugin has none. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(js|ts)$/.test(file) && !file.startsWith('admin'),
  );

/** Medusa's build has maps of its source. */
const textOf = (folder: string, file: string): string =>
  readFileSync(join(folder, file), 'utf8').replace(/\n\/\/# sourceMappingURL=.*$/, '\n');

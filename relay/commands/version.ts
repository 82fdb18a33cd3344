/** The version of the installed package. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const packageJson = z.object({ version: z.string() });

/** Reads package.json above the source, or above dist/ when compiled. */
export function version(): string {
  const up = import.meta.url.endsWith('.ts') ? '../..' : '../../..';
  const text = readFileSync(new URL(`${up}/package.json`, import.meta.url), 'utf8');
  return packageJson.parse(JSON.parse(text)).version;
}

/** `npm ci` warns about no install script: package.json names each package that has one. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { z } from 'zod';

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'));
const lockFile = z.object({
  packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() })),
});
const packageFile = z.object({ allowScripts: z.record(z.string(), z.literal(true)) });

it('package.json allows the install scripts of exactly the packages that have one', () => {
  const { packages } = lockFile.parse(read('package-lock.json'));
  const withScript = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  const { allowScripts } = packageFile.parse(read('package.json'));
  assert.deepEqual(Object.keys(allowScripts).sort(), [...new Set(withScript)].sort());
});

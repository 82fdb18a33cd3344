/** `npm run relay` builds what the relay runs and serves, unless the built files are newer. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run/test-files.js';

/** The last file that each build writes, and what it is built of. */
const BUILDS = {
  'build:widget': { last: 'dist/pay-checkout-render.js', of: ['widget', 'relay/contract'] },
  'build:command': { last: 'dist/relay/commands/command.cjs.cache', of: ['relay'] },
};
const OF_ALL = ['vite.config.ts', 'package.json', 'package-lock.json'];

const changedAt = (path: string): number => {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  return stats?.mtimeMs ?? 0;
};

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
    join(folder, file),
  );

for (const [script, { last, of }] of Object.entries(BUILDS)) {
  const builtAt = changedAt(last);
  const isStale = [...of.flatMap(filesIn), ...OF_ALL].some((file) => changedAt(file) >= builtAt);
  if (!isStale) continue;
  console.error(`npm run ${script}`);
  execFileSync('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' });
}

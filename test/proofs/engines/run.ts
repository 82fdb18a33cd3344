/**
 * `npm run engines [-- NAME…]` runs the browser tests and the demo's journeys in Chromium, and in
 * Firefox and WebKit when they are installed.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { engineNames, has, howToInstall } from './find.js';

/** Parts of the paths of what runs in every engine. */
const PARTS = ['.browser.test.ts', '.flow.test.ts', 'main/journeys'];

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !engineNames.some((known) => known === name));
if (unknown.length > 0) {
  console.error(`no engine ${unknown.join(', ')}: expected ${engineNames.join(', ')}`);
  process.exit(2);
}
const run = fileURLToPath(new URL('../../tools/run/run.ts', import.meta.url));
const results = engineNames
  .filter((name) => chosen.length === 0 || chosen.includes(name))
  .map((name) => {
    if (!has[name]())
      return { ok: !chosen.includes(name), line: `${name}: not installed. ${howToInstall(name)}` };
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--import', 'tsx', run, '--browser', ...PARTS],
      {
        env: { ...process.env, ENGINE: name },
        stdio: ['ignore', 'pipe', 'inherit'],
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      },
    );
    process.stdout.write(stdout);
    return { ok: status === 0, line: `${name}: ${stdout.trim().split('\n').at(-1) ?? 'nothing'}` };
  });
console.log(`\n${results.map(({ line }) => line).join('\n')}`);
process.exit(results.every(({ ok }) => ok) ? 0 : 1);

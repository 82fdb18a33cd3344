/** `npm run pack [-- FOLDER]` writes the tarballs of all packages into dist/packages. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildPackages, tarballOf } from './build.js';
import { problemsOf } from './check.js';
import { root } from './manifests.js';

const out = resolve(process.argv[2] ?? `${root}dist/packages`);
const stage = mkdtempSync(`${root}node_modules/.pack-`);
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  let failed = false;
  for (const folder of await buildPackages(stage)) {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: folder });
    const tarball = join(out, tarballOf(folder));
    console.log(`${tarball}  ${statSync(tarball).size} bytes`);
    for (const problem of await problemsOf(folder, tarball)) {
      console.error(problem);
      failed = true;
    }
  }
  process.exitCode = failed ? 1 : 0;
} finally {
  rmSync(stage, { recursive: true });
}

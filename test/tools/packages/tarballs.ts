/** The packed packages, for programs that install them as a shop does. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { repository, root } from './manifests.js';

/**
 * Packs both packages. With the flag `--packed` it uses the tarballs in dist/packages instead.
 *
 * @returns the paths of the tarballs, the element's first
 * @throws Error when a tarball is missing
 */
export function tarballs(): [element: string, relay: string] {
  if (!process.argv.includes('--packed'))
    execFileSync('npm', ['run', '--silent', 'pack'], { cwd: root, stdio: 'inherit' });
  const file = (name: string): string => {
    const path = `${root}dist/packages/${name}-${repository.version}.tgz`;
    if (!existsSync(path)) throw new Error(`${path} is missing: run npm run pack`);
    return path;
  };
  return [file('pay-checkout'), file('pay-checkout-relay')];
}

/** The packed packages, for programs that install them as a shop does. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { repository, root } from './manifests.js';

/**
 * Packs all packages. With the flag `--packed` it uses the tarballs in dist/packages instead.
 *
 * @returns the paths of the element's tarball and of the relay's
 * @throws Error when a tarball is missing
 */
export function tarballs(): [element: string, relay: string] {
  if (!process.argv.includes('--packed'))
    execFileSync('npm', ['run', '--silent', 'pack'], { cwd: root, stdio: 'inherit' });
  return [packedFile('pay-checkout'), packedFile('pay-checkout-relay')];
}

/**
 * @returns the path of a package's tarball
 * @throws Error when it is missing
 */
export function packedFile(name: string): string {
  const path = `${root}dist/packages/${name}-${repository.version}.tgz`;
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm run pack`);
  return path;
}

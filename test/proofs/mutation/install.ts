/** Installs Stryker, which has a package.json of its own here, because it is heavy. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { root } from '../../tools/run/test-files.js';

const FOLDER = 'test/proofs/mutation';

/** @throws Error when the installation fails */
export function install(): void {
  if (existsSync(`${root}${FOLDER}/node_modules`)) return;
  const { status } = spawnSync('npm', ['ci', '--prefix', FOLDER, '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('Stryker could not be installed');
}

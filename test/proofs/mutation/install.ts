/** Installs Stryker, which has a package.json of its own here, because it is heavy. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { root } from '../../tools/run/test-files.js';

const FOLDER = 'test/proofs/mutation';

/**
 * Installs Stryker at the first call.
 *
 * @returns the path of its command
 * @throws Error when the installation fails
 */
export function installStryker(): string {
  const command = `${root}${FOLDER}/node_modules/@stryker-mutator/core/bin/stryker.js`;
  if (existsSync(command)) return command;
  const { status } = spawnSync('npm', ['ci', '--prefix', FOLDER, '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('Stryker could not be installed');
  return command;
}

/** Builds the plugin with Medusa's own command, and compares the result with the packed plugin. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { write } from '../../tools/packages/compile.js';
import { MEDUSA_PARTS, medusaManifest } from '../../tools/packages/manifests.js';
import { medusaSource } from '../../tools/packages/plugins.js';
import { comparePlugin } from '../compare-plugin.js';
import { cli, environment, project, run } from './medusa-server.js';

const folder = join(project, '.medusa/plugin');
const packed = join(project, 'node_modules', medusaManifest.name, MEDUSA_PARTS);

/**
 * Runs `medusa plugin:build`, which checks the types too.
 *
 * @throws Error when it fails, or when the packed plugin is not what it makes
 */
export function buildPlugin(): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(medusaSource, join(folder, 'src'), { recursive: true });
  // the command builds pages for Medusa's administrators too, and fails when the folder is missing
  mkdirSync(join(folder, 'src/admin'));
  // the command runs only where Medusa is a dependency
  const manifest = { ...medusaManifest, devDependencies: medusaManifest.peerDependencies };
  write(join(folder, 'package.json'), JSON.stringify(manifest));
  const compilerOptions = { rootDir: '.', outDir: '.medusa/server' };
  const config = { extends: './src/tsconfig.json', compilerOptions, include: ['src'] };
  write(join(folder, 'tsconfig.json'), JSON.stringify(config));
  run(`${cli} plugin:build`, folder, environment({}));
  comparePlugin(join(folder, MEDUSA_PARTS), packed);
}

/**
 * `npm run release` checks, packs and publishes the packages with provenance. With `--dry-run` it
 * only prints what it would do, and with `--prepare` it only writes the documents of the release.
 * Provenance needs the identity of a CI job, so a release runs there.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  elementManifest,
  medusaManifest,
  relayManifest,
  repository,
  root,
  vendureManifest,
} from './manifests.js';
import { withTarballs, writeReleaseDocuments } from './release-documents.js';
import { refusals, releaseCommands } from './release-plan.js';

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { 'dry-run': flag, prepare: flag } });
const { homepage, version } = repository;

if (values.prepare) {
  writeReleaseDocuments(version, new Date().toISOString().slice(0, 'YYYY-MM-DD'.length));
  process.exit();
}

const git = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
// without git, nobody knows from which sources the tarballs are made
const status = git.status === 0 ? git.stdout : 'unknown';
const changelog = readFileSync(`${root}CHANGELOG.md`, 'utf8');
const reasons = refusals({
  status,
  changelog,
  homepage,
  version,
  withTarballs: withTarballs(),
});
const tarballs = [elementManifest, relayManifest, medusaManifest, vendureManifest].map(
  ({ name }) => `dist/packages/${name}-${version}.tgz`,
);
const commands = releaseCommands(version, tarballs);

for (const reason of reasons) console.error(`refused: ${reason}`);
if (values['dry-run'])
  for (const command of commands) console.log(`would run: ${command.join(' ')}`);
else if (reasons.length === 0)
  for (const [program = '', ...args] of commands) {
    console.log(`$ ${[program, ...args].join(' ')}`);
    // throws when the command fails, so that nothing is published after a failed check
    execFileSync(program, args, { cwd: root, stdio: 'inherit' });
  }
process.exitCode = reasons.length === 0 ? 0 : 1;

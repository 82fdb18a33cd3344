/** The documents of a release: a dated changelog, and lines that install from the registry. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fromRegistry } from './install-lines.js';
import { root } from './manifests.js';

const DOCUMENTS = ['*.md', 'docs/deploy/Dockerfile'];

/** @returns the documents that still install from tarballs */
export const withTarballs = (): string[] =>
  execFileSync('git', ['ls-files', ...DOCUMENTS], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => {
      const text = readFileSync(root + file, 'utf8');
      return fromRegistry(text) !== text;
    });

/** @returns the changelog, with the version and its date in place of "Unreleased" */
export const datedChangelog = (changelog: string, version: string, date: string): string =>
  changelog
    .replace(/^## Unreleased$/m, `## ${version} - ${date}`)
    .replace(/\s+Nothing is released yet:[^.]*\./, '');

/** Prepares the documents for the commit of a release. */
export function writeReleaseDocuments(version: string, date: string): void {
  const changelog = `${root}CHANGELOG.md`;
  writeFileSync(changelog, datedChangelog(readFileSync(changelog, 'utf8'), version, date));
  for (const file of withTarballs())
    writeFileSync(root + file, fromRegistry(readFileSync(root + file, 'utf8')));
  // the quick starts are written again, in the form that the formatter gives the shorter lines
  execFileSync('npm', ['run', '--silent', 'contract'], { cwd: root, stdio: 'inherit' });
  execFileSync('npx', ['--no-install', 'prettier', '--write', '--log-level=warn', '*.md', 'docs'], {
    cwd: root,
    stdio: 'inherit',
  });
}

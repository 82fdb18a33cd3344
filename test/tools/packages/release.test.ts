/** The states that a release refuses, and the commands that it runs. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import {
  elementManifest,
  medusaManifest,
  relayManifest,
  repository,
  root,
  vendureManifest,
} from './manifests.js';
import { datedChangelog } from './release-documents.js';
import { refusals, releaseCommands, type ReleaseState } from './release-plan.js';

const ready: ReleaseState = {
  status: '',
  changelog: '# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-11-23\n\n- A change.\n',
  homepage: 'https://code.shop.test/pay-checkout',
  version: '1.2.0',
  withTarballs: [],
};

describe('npm run release', () => {
  it('release refuses nothing when the tree is clean and the changelog names the version', () => {
    assert.deepEqual(refusals(ready), []);
    assert.deepEqual(refusals({ ...ready, changelog: '## [1.2.0] - 2026-11-23' }), []);
  });

  it('release refuses a dirty tree, a version without a heading and a placeholder', () => {
    const reasonFor = (change: Partial<ReleaseState>): string => {
      const [reason = '', ...more] = refusals({ ...ready, ...change });
      assert.deepEqual(more, []);
      return reason;
    };
    assert.match(reasonFor({ status: ' M relay/app.ts\n' }), /not committed/);
    for (const version of ['1.2', '1.2.0-rc.1', '2.0.0', 'Unreleased '])
      assert.match(reasonFor({ version }), /CHANGELOG\.md has no heading/, version);
    assert.match(reasonFor({ homepage: 'https://repository.example/pay-checkout' }), /homepage/);
    assert.match(reasonFor({ withTarballs: ['README.md'] }), /^README\.md: install tarballs/);
  });

  it('release --prepare dates the changelog, and no longer says that nothing is released', () => {
    const changelog = '# Changelog\n\nA. Nothing is released yet: this is all.\n\n## Unreleased\n';
    assert.equal(
      datedChangelog(changelog, '1.2.0', '2026-11-23'),
      '# Changelog\n\nA.\n\n## 1.2.0 - 2026-11-23\n',
    );
  });

  it('release tests and packs before it publishes the tarballs with provenance', () => {
    const tarballs = ['a.tgz', 'b.tgz'];
    assert.deepEqual(
      releaseCommands('1.2.0', tarballs).map((command) => command.join(' ')),
      [
        'npm test -- packages',
        'npm run pack',
        'npm publish a.tgz --provenance --access=public --tag=latest',
        'npm publish b.tgz --provenance --access=public --tag=latest',
      ],
    );
    assert.equal(releaseCommands('1.2.0-rc.1', tarballs).at(-1)?.at(-1), '--tag=next');
  });

  it('release only prints its commands when it is called with --dry-run', () => {
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ['--import', 'tsx', 'test/tools/packages/release.ts', '--dry-run'],
      { cwd: root, encoding: 'utf8' },
    );
    const isRefused = /^refused: /m.test(stderr);
    assert.equal(status, isRefused ? 1 : 0);
    assert.equal(repository.homepage.includes('repository.example') && !isRefused, false);
    const lines = stdout.trim().split('\n');
    assert.ok(lines.every((line) => line.startsWith('would run: npm ')));
    for (const name of ['', '-relay', '-medusa', '-vendure'].map((end) => `pay-checkout${end}`))
      assert.ok(stdout.includes(`publish dist/packages/${name}-${repository.version}.tgz `), name);
  });

  it('each package names the versions of Node.js that it supports', () => {
    assert.deepEqual(elementManifest.engines, repository.engines);
    assert.deepEqual(relayManifest.engines, repository.engines);
    assert.deepEqual(medusaManifest.engines, repository.engines);
    assert.deepEqual(vendureManifest.engines, repository.engines);
  });
});

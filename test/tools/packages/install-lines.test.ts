/** Until a release, nothing in the repository makes npm fetch our names, which anybody may take. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  fetchingLines,
  fromRegistry,
  HOW_TO_PACK,
  installLine,
  isReleased,
} from './install-lines.js';
import { root } from './manifests.js';

const read = (file: string): string => readFileSync(root + file, 'utf8');
const OWN_FILES = /^test\/tools\/packages\/install-lines/;
const NO_TEXT = /\.(?:png|svg|db|ico|woff2?)$|(?:^|\/)package-lock\.json$/;
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  // a file that was removed, and not yet committed
  .filter((file) => existsSync(root + file));
const files = tracked.filter((file) => !OWN_FILES.test(file) && !NO_TEXT.test(file));
const found = (lines: (text: string) => string[]): string[] =>
  files.flatMap((file) => lines(read(file)).map((line) => `${file}: ${line}`));

describe('the lines that install the packages', () => {
  it('fetch no name from a registry until there is a release', () => {
    assert.ok(files.length > 1000);
    if (!isReleased(read('CHANGELOG.md'))) assert.deepEqual(found(fetchingLines), []);
  });

  it('name no tarball after a release', () => {
    const turned = (text: string): string[] => (fromRegistry(text) === text ? [] : ['a tarball']);
    const documents = found(turned);
    if (isReleased(read('CHANGELOG.md'))) assert.deepEqual(documents, []);
    else assert.ok(documents.length > 15);
  });

  it('no lock file names another registry than that of npm', () => {
    const locks = tracked.filter((file) => file.endsWith('package-lock.json'));
    assert.ok(locks.length > 3);
    for (const lock of locks)
      for (const [, origin] of read(lock).matchAll(/"resolved": "(https?:\/\/[^/"]+)/g))
        assert.equal(origin, 'https://registry.npmjs.org', lock);
  });

  it('are found in every form in which a name is fetched', () => {
    const fetching = [
      'npx pay-checkout-relay init',
      'npx --yes pay-checkout-relay@1 init',
      'npm install pay-checkout',
      'npm i -D @scope/other "pay-checkout-relay@${VERSION}"',
      'npm install \\\n  pay-checkout',
      'after `npm install\n  pay-checkout`, write',
      'pnpm add pay-checkout',
      'yarn dlx pay-checkout-relay start',
      'bunx pay-checkout-relay',
      'npm exec pay-checkout-relay -- init',
      'npm install pay-checkout-medusa',
      'npm install pay-checkout-vendure',
      '{ "dependencies": { "pay-checkout-medusa": "^0.1.0" } }',
      "import 'npm:pay-checkout/define'",
      '<script src="https://unpkg.com/pay-checkout"></script>',
      '[it](https://www.npmjs.com/package/pay-checkout)',
      '{ "dependencies": { "pay-checkout": "^0.1.0" } }',
    ];
    for (const text of fetching) assert.equal(fetchingLines(text).length, 1, text);
    const harmless = [
      'npx --no-install pay-checkout-relay init',
      installLine(['pay-checkout', 'pay-checkout-relay', 'pay-checkout-medusa'], ['hono']),
      'npm install ./pay-checkout-relay-0.1.0.tgz',
      'npm install jose, and then pay-checkout-relays',
      'pay-checkout-relay start --config relay.config.json',
      'npm run pack && cd pay-checkout',
    ];
    for (const text of harmless) assert.deepEqual(fetchingLines(text), [], text);
  });

  it('become lines with names when the release turns them', () => {
    const names = ['pay-checkout', 'pay-checkout-relay', 'pay-checkout-medusa'] as const;
    const install = installLine(names, ['hono']);
    const page = `# A page\n\n${HOW_TO_PACK}\n\n\`\`\`sh\n${install}\n\`\`\`\n`;
    const turned = `# A page\n\n\`\`\`sh\nnpm install ${names.join(' ')} hono\n\`\`\`\n`;
    assert.equal(fromRegistry(page), turned);
    assert.equal(fromRegistry(turned), turned);
    const wrapped = `a\n\n${HOW_TO_PACK.replace(' this ', '\nthis ')}\n\nafter \`${install}\`\n`;
    assert.doesNotMatch(fromRegistry(wrapped), /npm yet|\.tgz|pack/);
    const docker = fromRegistry(read('docs/deploy/Dockerfile'));
    assert.doesNotMatch(docker, /\.tgz|npm run pack/);
    assert.match(docker, /npm install .*"pay-checkout-relay@\$\{VERSION\}"/);
  });
});

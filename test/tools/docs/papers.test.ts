/** Each claim of the accessibility report, the threat model and the privacy page names its test. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { proofs } from '../../proofs/proofs.js';
import { codeBlocks } from './code-blocks.js';
import { allWordsIn, MAX_MINUTES, minutesFor, wordsIn } from './reading-times.js';

const root = new URL('../../../', import.meta.url);
const read = (page: string): string => readFileSync(new URL(page, root), 'utf8');

/** The cells of the rows of the table between two comments. */
function rows(page: string, name: string): string[][] {
  const [, table = ''] = new RegExp(`<!-- ${name} -->([^]*)<!-- end of ${name} -->`).exec(
    read(page),
  ) ?? [''];
  return table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** @returns the files of tests that a cell links to, from the root */
const testsIn = (page: string, cell: string): string[] =>
  [...cell.matchAll(/\]\(([^)]+)\)/g)]
    .map(([, link = '']) => new URL(link, new URL(page, root)).href.slice(root.href.length))
    .filter((path) => /^test\/.*\.ts$/.test(path));

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** A proof is run by its name, or by a command of its own. */
const isTest = (path: string): boolean =>
  existsSync(new URL(path, root)) &&
  (path.endsWith('.test.ts') ||
    Object.hasOwn(proofs, path.replace(/^test\/proofs\/|\.ts$/g, '')) ||
    Object.values(scripts).includes(`tsx ${path}`));

const A =
  '1.1.1 1.2.1 1.2.2 1.2.3 1.3.1 1.3.2 1.3.3 1.4.1 1.4.2 2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1 ' +
  '2.4.1 2.4.2 2.4.3 2.4.4 2.5.1 2.5.2 2.5.3 2.5.4 3.1.1 3.2.1 3.2.2 3.2.6 3.3.1 3.3.2 3.3.7 4.1.2';
const AA =
  '1.2.4 1.2.5 1.3.4 1.3.5 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13 2.4.5 2.4.6 2.4.7 ' +
  '2.4.11 2.5.7 2.5.8 3.1.2 3.2.3 3.2.4 3.3.3 3.3.4 3.3.8 4.1.3';
const REPORT = 'docs/accessibility.md';

/** @returns why the line of a criterion is not a claim that something holds; null when it is one */
function whyUnproven([criterion = '', , conformance = '', evidence = '']: string[]): string | null {
  const tests = testsIn(REPORT, evidence);
  const missing = tests.find((path) => !isTest(path));
  if (missing !== undefined) return `${criterion}: ${missing} is no test`;
  const date = /\b(20\d\d-\d\d-\d\d)\b/.exec(evidence)?.[1];
  const isDated = date !== undefined && Date.parse(date) <= Date.now();
  switch (conformance) {
    case 'Supports':
    case 'Partially supports':
      return tests.length > 0 || isDated ? null : `${criterion}: names no test and no day`;
    case 'Does not support':
    case 'Not applicable':
    case 'Not evaluated':
      return evidence === '' ? `${criterion}: gives no reason` : null;
    default:
      return `${criterion}: "${conformance}" is no term of the report`;
  }
}

describe('the accessibility report', () => {
  it('has one line for each criterion of WCAG 2.2 at levels A and AA', () => {
    const level = (name: string): string[] =>
      rows(REPORT, 'criteria')
        .filter(([, each]) => each === name)
        .map(([criterion = '']) => criterion.split(' ')[0] ?? '');
    assert.deepEqual([level('A'), level('AA')], [A.split(' '), AA.split(' ')]);
    assert.equal(rows(REPORT, 'criteria').length, 55);
  });

  it('names for each claim a test that exists, or the day of a reading', () => {
    assert.deepEqual(
      rows(REPORT, 'criteria')
        .map(whyUnproven)
        .filter((why) => why !== null),
      [],
    );
    for (const wrong of [
      ['1.1.1 X', 'A', 'Supports', 'we are sure'],
      ['1.1.1 X', 'A', 'Supports', '[t](../test/suite/widget/none.browser.test.ts)'],
      ['1.1.1 X', 'A', 'Supports', '[t](../test/suite/widget/pay-checkout/stage.ts)'],
      ['1.1.1 X', 'A', 'Supports', 'read on 2999-01-01'],
      ['1.1.1 X', 'A', 'Not evaluated', ''],
      ['1.1.1 X', 'A', 'Mostly', 'read, 2026-11-27'],
    ])
      assert.notEqual(whyUnproven(wrong), null, wrong.join());
  });
});

describe('the threat model and the privacy page', () => {
  for (const [page, name, least] of [
    ['docs/threat-model.md', 'threats', 15],
    ['docs/privacy.md', 'privacy', 8],
  ] as const)
    it(`names a test or proof that exists in each line of ${page}`, () => {
      const lines = rows(page, name);
      assert.ok(lines.length >= least);
      for (const line of lines) {
        const tests = testsIn(page, line.at(-1) ?? '');
        assert.ok(tests.length > 0, line[0]);
        for (const path of tests) assert.ok(isTest(path), path);
      }
    });
});

/** Forms of a secret that somebody could have copied into an example. */
const SECRETS = [
  /whsec_[\w+/=]{24,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\beyJ[\w-]{20,}\.[\w-]{20,}\./,
  /:\/\/\w+:(?!password@)[^@\s/]{12,}@/,
  // as `init` writes a key; a digest in a URL or after its name is no secret
  /(?<![\w/:-])[0-9a-f]{64}(?!\w)/i,
  /\bBearer [\w+/=.-]{16,}/,
  /\b[sr]k_(?:live|test)_\w{8,}/,
];
const hasSecret = (text: string): boolean => SECRETS.some((form) => form.test(text));

describe('every page', () => {
  it('contains no secret, and the check finds one', () => {
    const docs = readdirSync(new URL('docs/', root), { recursive: true, withFileTypes: true });
    const files = docs
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    assert.ok(files.length > 80);
    assert.deepEqual(
      files.filter((file) => hasSecret(readFileSync(file, 'utf8'))),
      [],
    );
    assert.deepEqual(
      codeBlocks().filter(({ code }) => hasSecret(code)),
      [],
    );
    for (const secret of [
      `whsec_${'a'.repeat(32)}`,
      '-----BEGIN PRIVATE KEY-----',
      `eyJ${'a'.repeat(30)}.${'b'.repeat(40)}.c`,
      'postgres://shop:correct-horse-battery@db/shop',
      `"secret_key": "${'0123456789abcdef'.repeat(4)}"`,
      `Authorization: Bearer ${'a1'.repeat(12)}`,
      `sk_${'live'}_4eC39HqLyjWDarjtT1`,
    ])
      assert.ok(hasSecret(secret), secret);
  });
});

describe('the reading time', () => {
  for (const [page, most] of Object.entries(MAX_MINUTES))
    it(`of ${page} is at most ${most} minutes`, () => {
      const minutes = minutesFor(page);
      assert.ok(minutes > 0.5 && minutes <= most, `${minutes} minutes`);
    });

  it('counts words, and neither code nor tables nor addresses', () => {
    const text = 'One [two](https://a.example/b) – three.\n\n```js\nfour\n```\n\n| five |\n';
    assert.equal(wordsIn(text), 3);
    assert.equal(allWordsIn(text), 6);
  });
});

describe('the security page', () => {
  it('says how to report, which versions are supported, and how long', () => {
    const text = read('SECURITY.md');
    for (const part of ['## Report a vulnerability', '## Supported versions', '## How we fix'])
      assert.ok(text.includes(part), part);
    assert.match(text, /for \d+ months/);
    // the address is of the repository, whose placeholder a release refuses
    const homepage = /"homepage": "([^"]+)"/.exec(read('package.json'))?.[1] ?? '';
    assert.ok(homepage !== '' && text.includes(`${homepage}/security/advisories/new`));
  });
});

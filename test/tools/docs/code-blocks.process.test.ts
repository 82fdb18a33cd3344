/** Every block of code in the documentation works with the product. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { z } from 'zod';
import { flagTexts } from '../contract/operator-texts.js';
import { blocksOf, isRun, runnersElsewhere } from './block-runners.js';
import { codeBlocks, type CodeBlock } from './code-blocks.js';
import { compileBlocks } from './compile-blocks.js';
import { readJsonBlock } from './json-blocks.js';

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));

/** The commands of a block. A line that ends with a backslash continues on the next line. */
const commandsOf = ({ code, page }: CodeBlock): { page: string; words: string[] }[] =>
  code
    .replace(/\\\n\s*/g, '')
    .split(/\n|&&/)
    .map((line) => ({ page, words: line.trim().split(/\s+/) }));

const WRONG_BLOCK: CodeBlock = {
  page: 'wrong-block.md',
  language: 'js',
  code: "import { fetchOrder } from 'pay-checkout/shop';\nfetchOrder(secret_key);",
};
/** All blocks are compiled together with a wrong one, once, because the compiler takes seconds. */
let problems: string[] = [];
before(() => {
  problems = compileBlocks([...blocksOf('compiled'), WRONG_BLOCK]);
});
const isOfWrongBlock = (problem: string): boolean => problem.startsWith(WRONG_BLOCK.page);

describe('the code in the documentation', () => {
  it('gives every block of code to a runner, so that none is left untested', () => {
    const untested = codeBlocks().filter((block) => !isRun(block));
    assert.deepEqual(untested, []);
    const added = { page: 'docs/scale.md', language: 'ruby', code: 'puts 1' };
    assert.equal(isRun(added), false);
    assert.equal(isRun({ ...added, language: '' }), false);
    assert.equal(isRun({ ...added, page: 'docs/quick-start/vue.md', language: 'vue' }), false);
    for (const { test, takes } of runnersElsewhere) {
      assert.ok(existsSync(new URL(`../../../${test}`, import.meta.url)), test);
      assert.ok(codeBlocks().some(takes), `${test} takes a block`);
    }
  });

  it('compiles every block of code with all that it imports', () => {
    assert.ok(blocksOf('compiled').length >= 13);
    assert.deepEqual(
      problems.filter((problem) => !isOfWrongBlock(problem)),
      [],
    );
  });

  for (const block of blocksOf('json')) {
    const [first = ''] = block.code.split('\n');
    it(`reads the JSON of ${block.page} with the schema of what it shows: ${first}`, () =>
      readJsonBlock(block));
  }

  it('refuses a JSON block with a field that its schema does not know', () => {
    const page = 'docs/guides/render-on-the-server.md';
    for (const code of [
      '{ "order_token": "eyJ", "optoin": "sbp_qr" }',
      '{ "payment_method": "direct", "id": "pix", "label": "Pix" }',
      '{ "ledger_hints": "sqlite:file" }',
      '{ "type": "order.paid", "data": {} }',
    ])
      assert.throws(() => readJsonBlock({ page, language: 'json', code }), Error, code);
  });

  it('reports a type error of a block of code that has one', () => {
    const message = problems.find(isOfWrongBlock);
    assert.match(message ?? '', /Expected 2-3 arguments/);
  });

  it('runs only commands and flags that exist', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(read('package.json'));
    const commands = blocksOf('commands').flatMap(commandsOf);
    const ours = commands
      .filter(({ words }) => words[0] === 'npx' && words.includes('pay-checkout-relay'))
      .map(({ page, words }) => ({
        page,
        words: words.slice(words.indexOf('pay-checkout-relay')),
      }));
    assert.ok(ours.length > 10);
    for (const { page, words } of ours) {
      const name = words[1]?.startsWith('--') ? 'start' : (words[1] ?? '');
      const known = flagTexts[name];
      assert.ok(known, `${page}: ${name}`);
      for (const word of words)
        if (word.startsWith('--')) assert.ok(word.slice(2) in known, `${page}: ${name} ${word}`);
    }
    for (const { page, words } of commands) {
      if (words[0] !== 'npm') continue;
      const script = words[1] === 'run' ? words[2] : words[1];
      if (script === 'ci' || script === 'install') continue;
      assert.ok(Object.hasOwn(scripts, script ?? ''), `${page}: ${words.join(' ')}`);
    }
  });

  it('asks with the payment that the shop delivers for which one goes back', () => {
    const asking = codeBlocks().flatMap(({ code, page }) =>
      [...code.matchAll(/(?<!function )needs_?refund\(([^)]*)\)/gi)].map(([, given = '']) => ({
        page,
        given,
      })),
    );
    assert.ok(asking.length >= 11);
    for (const { given, page } of asking) assert.match(given, /^\$?event, \$?paid_?by$/i, page);
  });

  it('names only attributes that the element has', () => {
    const contract = z
      .object({ attributes: z.array(z.string()) })
      .loose()
      .parse(read('test/tools/contract/public-contract.json'));
    const known = ['id', 'class', ...contract.attributes];
    const tags = blocksOf('html').flatMap(({ code, page }) =>
      [...code.matchAll(/<pay-checkout([^>]*)>/g)].map(([, attributes = '']) => ({
        attributes,
        page,
      })),
    );
    assert.ok(tags.length > 2);
    for (const { attributes, page } of tags)
      for (const [, name = ''] of attributes.matchAll(
        /([\w-]+)(?==|\s|$)(?=[^"]*(?:"[^"]*"[^"]*)*$)/g,
      ))
        assert.ok(known.includes(name), `${page}: ${name}`);
  });
});

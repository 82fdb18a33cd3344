/** What `init` refuses, writes and prints, without a process of its own. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { UsageError } from '../../../../relay/commands/arguments.js';
import { init, nextSteps } from '../../../../relay/commands/init.js';
import {
  answersAsConfig,
  secretsOf,
  type Answers,
} from '../../../../relay/commands/init-config.js';
import { schemaFrom, writeFiles } from '../../../../relay/commands/init-files.js';
import { firstPage, needsPage } from '../../../../relay/commands/init-page.js';
import { USUAL_PORTS } from '../../../../relay/commands/init-ports.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { Config } from '../../../../relay/config/schema.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('init');

function configOf(answers: Answers): Config {
  const written = answersAsConfig(answers);
  const secrets = secretsOf(written);
  return parseConfig(written, (reference) =>
    'file' in reference ? secrets[reference.file] : undefined,
  );
}

/** The commands that `init` prints. */
const commands = (answers: Answers, file = 'relay.config.json', page: string | null = null) =>
  nextSteps(file, configOf(answers), USUAL_PORTS, page)
    .filter((line) => /^ {2}(npx|python3) /.test(line))
    .map((line) => line.trim().replace('npx --no-install pay-checkout-relay ', ''));

describe('init', () => {
  for (const ending of ['mjs', 'js', 'ts'])
    it(`refuses a configuration as ${ending}, which would hold JSON`, async () => {
      const file = join(folder, 'module', `relay.config.${ending}`);
      await assert.rejects(init.run(['--yes', '--file', file]), (error) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, /is a module; init writes JSON/);
        return true;
      });
      assert.ok(!existsSync(dirname(file)));
    });

  it('leaves no file and no folder when one of its files cannot be written', async () => {
    const file = join(folder, 'long', 'name', 'x'.repeat(300));
    await assert.rejects(init.run(['--yes', '--file', file]), /cannot be written \(ENAMETOOLONG/);
    assert.ok(!existsSync(join(folder, 'long')));
  });

  it('does not remove a file that another program has written meanwhile', () => {
    mkdirSync(join(folder, 'taken'));
    const [first, taken] = [join(folder, 'taken', 'first'), join(folder, 'taken', 'second')];
    writeFileSync(taken, 'mine');
    const both = [first, taken].map((path) => ({ path, text: 'new' }));
    assert.throws(() => writeFiles(both), /second: cannot be written \(EEXIST/);
    assert.equal(readFileSync(taken, 'utf8'), 'mine');
    assert.ok(!existsSync(first));
  });

  it('finds the schema of the nearest installed relay, and names none that is missing', () => {
    const dist = join(folder, 'shop', 'node_modules', 'pay-checkout-relay', 'dist');
    mkdirSync(dist, { recursive: true });
    writeFileSync(join(dist, 'config.schema.json'), '{}');
    const schema = 'node_modules/pay-checkout-relay/dist/config.schema.json';
    assert.equal(schemaFrom(join(folder, 'shop')), `./${schema}`);
    assert.equal(schemaFrom(join(folder, 'shop', 'sub')), `../${schema}`);
    assert.equal(schemaFrom(folder), null);
  });
});

describe('the commands that init prints', () => {
  for (const [publicUrl, start] of [
    ['http://localhost:9999', 'start --config relay.config.json --port 9999'],
    ['http://127.0.0.1', 'start --config relay.config.json --port 80'],
    ['http://localhost:8787', 'start --config relay.config.json'],
    ['http://localhost:9999/pay', 'start --config relay.config.json'],
    ['https://localhost:9999', 'start --config relay.config.json'],
    ['https://pay.shop.example', 'start --config relay.config.json'],
  ] as const)
    it(`start the relay where browsers reach ${publicUrl}`, () => {
      assert.ok(commands({ publicUrl }).includes(start), commands({ publicUrl }).join('\n'));
    });

  it('name the address to write where the guides have the usual one', () => {
    const lines = (publicUrl?: string) =>
      nextSteps('relay.config.json', configOf({ publicUrl }), USUAL_PORTS, null).join('\n');
    assert.ok(!lines().includes('a guide'));
    assert.match(lines('http://localhost:8788'), /says http:\S+:8787, write http:\S+:8788\.$/m);
  });

  it('quote a path with a space, and escape what a shell reads inside quotes', () => {
    assert.deepEqual(commands({}, 'my shop/relay.config.json', 'my shop/page/index.html'), [
      'sandbox',
      'start --config "my shop/relay.config.json"',
      'python3 -m http.server 3000 --directory "my shop/page"',
      'check --config "my shop/relay.config.json"',
    ]);
    assert.ok(commands({}, 'a $(b)"').includes('start --config "a \\$(b)\\""'));
  });
});

describe('the page of init', () => {
  for (const [origin, isNeeded] of [
    ['http://localhost:3000', true],
    ['http://localhost', true],
    ['https://localhost:3000', false],
    ['https://localhost', false],
    ['https://shop.example', false],
  ] as const)
    it(`is ${isNeeded ? '' : 'not '}written for ${origin}`, () =>
      assert.equal(needsPage(configOf({ origin })), isNeeded));

  it('is not written for a shop that has a server of its own', () => {
    const eventsUrl = 'http://localhost:3000/events';
    assert.equal(needsPage(configOf({ eventsUrl })), false);
    assert.equal(needsPage(configOf({ publicUrl: 'http://localhost:3000/pay' })), false);
  });

  it('names the file that has the prices', async () => {
    const page = await firstPage(configOf({ hasCatalogue: true }), 'a-->b.json', Date.now());
    assert.ok(page.includes('<!-- The price is in the catalogue of a--&#62;b.json. -->'));
  });
});

/** The output and the exit code of each command. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { BEGIN_HASH } from '../../../../relay/contract/begin-text.js';
import { readConfigFile } from '../../../../relay/node/read-config-file.js';
import { elementScript } from '../../../../relay/node/element-script.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { loadAssets } from '../../../../relay/node/load-assets.js';
import { freePort } from '../../support/free-port.js';
import { RELAY_COMMAND } from '../../support/relay-command.js';
import { SECRETS, testConfig } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = temporaryFolder('command-line');

const HIDDEN = 'hunter2';
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};

type Ended = { code: number | string | null; stdout: string; stderr: string };

const run = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...RELAY_COMMAND, ...args],
      { cwd: root, env: { PATH: process.env.PATH, ...SECRETS, ...env }, timeout: 300_000 },
      (error, stdout, stderr) => resolve({ code: error ? child.exitCode : 0, stdout, stderr }),
    );
  });

let files = 0;
function write(content: unknown, ending = 'json'): string {
  const file = join(folder, `${files++}.${ending}`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const commands = ['start', 'relay', 'orders', 'ledger', 'sign'] as const;
/** Arguments with which each command opens the configuration. */
const complete = (name: (typeof commands)[number], config: string): string[] => {
  const rest = {
    start: ['--port', '0'],
    relay: ['--port', '0'],
    orders: ['resolve', 'x', '--as', 'failed', '--by', 'me', '--note', 'why'],
    ledger: ['verify'],
    sign: ['--amount', '1'],
  };
  return [name, ...rest[name], '--config', config];
};

describe('pay-checkout-relay', () => {
  it('prints its usage on stdout and ends with 0 when it is asked for help', async () => {
    const { code, stderr, stdout } = await run(['--help']);
    assert.match(stdout, /^usage: pay-checkout-relay start \| relay \| .*orders \| .*\| ledger /);
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('prints its version on stdout and ends with 0 when it is called with --version', async () => {
    const expected = { code: 0, stdout: `${version}\n`, stderr: '' };
    assert.deepEqual(await run(['--version']), expected);
  });

  it('starts the relay when it is called with flags and without a command', async () => {
    const file = join(folder, 'no-such-file.json');
    for (const flags of [['--config', file], [`--config=${file}`]]) {
      const { code, stderr, stdout } = await run(flags);
      assert.match(stderr, /^pay-checkout-relay start: [^]*no-such-file\.json: cannot be read/);
      assert.deepEqual([code, stdout], [1, '']);
    }
  });

  for (const [args, why] of [
    [[], ''],
    [['toString'], 'toString is no command\n'],
    [['strat', '--config', 'relay.config.json'], 'strat is no command\n'],
  ] as const)
    it(`prints its usage on stderr and ends with 2 when it is called with [${args}]`, async () => {
      const { code, stderr, stdout } = await run(args);
      assert.ok(stderr.startsWith(`${why}usage: pay-checkout-relay start`), stderr);
      assert.deepEqual([code, stdout], [2, '']);
    });
});

for (const name of commands)
  describe(`pay-checkout-relay ${name}`, () => {
    it(`${name} prints its usage and the version on stdout and ends with 0`, async () => {
      const [help, versionRun] = await Promise.all([
        run([name, '--port', 'eighty', '--help']),
        run([name, '--version']),
      ]);
      assert.match(help.stdout, /^usage: pay-checkout-relay .*--config FILE/);
      assert.match(help.stdout, new RegExp(`^usage: .*${name === 'relay' ? 'start' : name}`));
      assert.deepEqual([help.code, help.stderr], [0, '']);
      assert.deepEqual(versionRun, { code: 0, stdout: `${version}\n`, stderr: '' });
    });

    it(`${name} ends with 2 and says why on stderr when it is used wrongly`, async () => {
      const { code, stderr, stdout } = await run([name, '--config', 'x.json', '--what']);
      assert.match(
        stderr,
        new RegExp(`^pay-checkout-relay ${name}: .*--what[^]*usage: pay-checkout-relay`),
      );
      assert.deepEqual([code, stdout], [2, '']);
    });

    it(`${name} ends with 1 and says why on stderr when its configuration is refused`, async () => {
      const live = { ...testConfig, mode: 'live', statuses: undefined };
      const { code, stderr, stdout } = await run(complete(name, write(live)));
      assert.match(stderr, /statuses: missing; expected "statuses": \{"STATUS": "succeeded"\}/);
      assert.doesNotMatch(stderr, /\n\s+at /);
      assert.deepEqual([code, stdout], [1, '']);
    });
  });

describe('pay-checkout-relay sandbox', () => {
  it('sandbox prints its usage and ends with 0, or with 2 when it is used wrongly', async () => {
    const [help, ...wrong] = await Promise.all([
      run(['sandbox', '--help']),
      run(['sandbox', '--port', 'eighty']),
      run(['sandbox', '--public-url', 'nowhere']),
    ]);
    assert.match(help.stdout, /^usage: pay-checkout-relay sandbox /);
    assert.deepEqual([help.code, ...wrong.map(({ code }) => code)], [0, 2, 2]);
  });
});

describe('a command on a ledger that does not exist', () => {
  for (const args of [
    ['ledger', 'verify'],
    ['ledger', 'backup', join(folder, 'nothing.backup')],
    ['orders', 'resolve', 'x', '--as', 'failed', '--by', 'me', '--note', 'why'],
  ])
    it(`${args[0]} ${args[1]} ends with 1 and creates no ledger`, async () => {
      const ledger = join(folder, `none-${args[1]}.db`);
      const file = write({ ...testConfig, ledger: `sqlite:${ledger}` });
      const { code, stderr, stdout } = await run([...args, '--config', file]);
      assert.match(stderr, /none-\w+\.db does not exist/);
      assert.deepEqual([code, stdout], [1, '']);
      assert.ok(!existsSync(ledger));
      assert.ok(!existsSync(join(folder, 'nothing.backup')));
    });
});

describe('a command whose port is taken', () => {
  for (const name of ['start', 'sandbox'])
    it(`${name} ends with 1 and names the port`, async () => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as AddressInfo;
      const file = write({ ...testConfig, ledger: 'memory:' });
      const config = name === 'start' ? ['--config', file] : [];
      const { code, stderr } = await run([name, '--port', String(port), ...config]);
      taken.close();
      assert.match(stderr, new RegExp(`pay-checkout-relay ${name}: port ${port} is taken`));
      assert.equal(code, 1);
    });
});

describe('pay-checkout-relay sri', () => {
  it('sri prints a tag with the name and hash of the script that the relay serves', async () => {
    const file = write({ ...testConfig, ledger: 'memory:' });
    const [{ code, stderr, stdout }, relative] = await Promise.all([
      run(['sri', '--config', file]),
      run(['sri']),
    ]);
    assert.deepEqual([code, stderr, relative.code], [0, '', 0]);
    const tag = /src="(.+?)\/(pay-checkout\.\w+\.js)" integrity="(.+?)" crossorigin/.exec(stdout);
    const script = readFileSync(join(root, 'dist/pay-checkout.js'));
    const hash = `sha384-${createHash('sha384').update(script).digest('base64')}`;
    assert.deepEqual([tag?.[1], tag?.[3]], [testConfig.public_url, hash]);
    const assets = await loadAssets(elementScript(), () => {});
    assert.deepEqual(assets.get(tag?.[2] ?? '')?.body, new Uint8Array(script));
    assert.equal(relative.stdout, stdout.replace(testConfig.public_url, ''));
  });
});

describe('pay-checkout-relay sri --inventory, and check --page', () => {
  it('sri lists the scripts, and check ends with 0 on a page that has what is listed', async () => {
    const { stdout } = await run(['sri', '--inventory']);
    const listed = z
      .array(
        z.strictObject({
          script: z.string(),
          hash: z.string(),
          purpose: z.string(),
          owner: z.string(),
        }),
      )
      .parse(JSON.parse(stdout));
    const { hash = '', script = '' } = listed[0] ?? {};
    assert.equal(listed[1]?.hash, BEGIN_HASH);
    let integrity = hash;
    const shop = createHttpServer((request, response) => {
      const isPage = request.url === '/';
      response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript');
      response.setHeader('content-security-policy', "script-src 'self'");
      response.end(
        isPage
          ? `<script src="${script}" integrity="${integrity}"></script><pay-checkout>`
          : readFileSync(join(root, 'dist/pay-checkout.js')),
      );
    }).listen(0, '127.0.0.1');
    await once(shop, 'listening');
    const page = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`;
    const good = await run(['check', '--page', page]);
    assert.deepEqual([good.code, good.stderr], [0, '']);
    integrity = 'sha384-other';
    const bad = await run(['check', '--page', page]);
    assert.equal(bad.code, 1);
    assert.match(bad.stdout, /^error {2}page\.integrity: sha384-other admits another script/m);
    integrity = '\nok     page.integrity: forged \u001b[31m';
    const forged = await run(['check', '--page', page]);
    assert.doesNotMatch(forged.stdout, /^ok {5} page\.integrity|\u001b/m);
    shop.close();
    assert.equal((await run(['check', '--page', 'shop'])).code, 2);
  });

  it('check refuses an address with a password, and does not print it', async () => {
    for (const page of [`http://me:${HIDDEN}@127.0.0.1/`, `me:${HIDDEN}@shop.example`]) {
      const { code, stderr, stdout } = await run(['check', '--page', page]);
      assert.match(stderr, /--page: expected a URL without a user and a password/);
      assert.ok(!(stdout + stderr).includes(HIDDEN));
      assert.equal(code, 2);
    }
  });
});

describe('readConfigFile', () => {
  it('reads a YAML configuration as it reads a JSON configuration', async () => {
    const ownSecrets = { order_token_keys: [], secret_key: undefined };
    const config = { ...testConfig, ...ownSecrets };
    const json = await readConfigFile(write(config));
    const yaml = `# the same configuration: JSON is valid YAML\n${JSON.stringify(config, null, 1)}`;
    assert.deepEqual(
      JSON.stringify(await readConfigFile(write(yaml, 'yaml'))),
      JSON.stringify(json),
    );
    const plain = 'mode: test\nservice:\n  base_url: service.example\n';
    await assert.rejects(
      readConfigFile(write(plain, 'yml')),
      /service\.base_url: "service\.example"/,
    );
  });

  for (const [what, content, expected] of [
    ['a wrong indent', `secret_key: ${HIDDEN}\n  mode: test`, /not YAML: line \d: /],
    ['a field twice', `mode: test\nmode: ${HIDDEN}`, /not YAML: line 2: duplicate key/],
    ['an unknown tag', `mode: !${HIDDEN} test`, /not YAML: line 1: tag resolve failed/],
  ] as const)
    it(`does not quote the text of a YAML file with ${what}`, async () => {
      await assert.rejects(readConfigFile(write(content, 'yaml')), (error: Error) => {
        assert.match(error.message, expected);
        assert.doesNotMatch(error.message, new RegExp(HIDDEN));
        return true;
      });
    });

  for (const [what, content, expected] of [
    ['a value without quotes', `{\n"ledger": ${HIDDEN}\n}`, /line 2: Unexpected token 'h'$/],
    ['a missing comma', `{\n"mode": "test"\n"${HIDDEN}": 1}`, /line 3: Expected ',' or '}'/],
    ['a text without end', `{ "secret": "${HIDDEN}`, /line 1: Unterminated string in JSON/],
    ['no text', '', /not JSON: it ends too early$/],
    ['no JSON at all', HIDDEN, /not JSON: line 1: Unexpected token 'h'$/],
  ] as const)
    it(`names the line, but not its words, of a file that has ${what}`, async () => {
      await assert.rejects(readConfigFile(write(content)), ({ message }: Error) => {
        assert.match(message, expected);
        assert.doesNotMatch(message, new RegExp(HIDDEN));
        return true;
      });
    });

  it('names a module with a syntax error, but not its words', async () => {
    const file = write(`export default { ledger: x ${HIDDEN} };`, 'mjs');
    await assert.rejects(readConfigFile(file), /\.mjs: has a syntax error$/);
  });
});

describe('a ledger that cannot be opened', () => {
  const password = encodeURIComponent(`${HIDDEN}/@`);
  const commandsWithLedger = ['relay', 'orders', 'ledger'] as const;

  it('names a ledger without its password when the database refuses the connection', async () => {
    const LEDGER = `postgres://shop:${password}@127.0.0.1:${await freePort()}/pay`;
    const file = write({ ...testConfig, ledger: { env: 'LEDGER' } });
    for (const name of commandsWithLedger) {
      const { code, stderr, stdout } = await run(complete(name, file), { LEDGER });
      assert.match(
        stderr,
        /^pay-checkout-relay \w+: ledger: the database cannot be opened: .*ECONNREF/,
      );
      assert.doesNotMatch(stderr, new RegExp(HIDDEN));
      assert.deepEqual([code, stdout], [1, '']);
    }
  });

  it('names a ledger without its password when the database refuses the password', async () => {
    const serverMessage = 'SFATAL\0C28P01\0Mpassword authentication failed for user "shop"\0\0';
    const refusal = Buffer.concat([Buffer.from('E\0\0\0\0'), Buffer.from(serverMessage)]);
    refusal.writeUInt32BE(refusal.length - 1, 1);
    const database = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(refusal));
    }).listen(0, '127.0.0.1');
    after(() => database.close());
    await new Promise((resolve) => database.once('listening', resolve));
    const { port } = database.address() as AddressInfo;
    const ledger = `postgres://shop:${password}@127.0.0.1:${port}/pay`;
    const { code, stderr } = await run(complete('ledger', write({ ...testConfig, ledger })));
    assert.match(stderr, /ledger: the database cannot be opened: password authentication failed/);
    assert.doesNotMatch(stderr, new RegExp(HIDDEN));
    assert.equal(code, 1);
  });

  it('reads the name of the ledger from a file beside the configuration', async () => {
    const kept = `sqlite:${join(folder, 'kept.db')}`;
    await (await openLedger(kept)).close();
    writeFileSync(join(folder, 'ledger.txt'), `${kept}\n`);
    const file = write({ ...testConfig, ledger: { file: 'ledger.txt' } });
    const { code, stderr, stdout } = await run(complete('ledger', file));
    assert.deepEqual([code, stdout, stderr], [0, 'the ledger is consistent\n', '']);
  });
});

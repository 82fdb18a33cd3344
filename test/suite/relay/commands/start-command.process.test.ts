/** The relay and the sandbox as processes that are started with few flags. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { printed, runCommand } from '../../support/run-command.js';
import { SECRETS, testConfig } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('start-command');

const config = join(folder, 'relay.json');
const operator = { port: 0, key: { env: 'SECRET' } };
writeFileSync(config, JSON.stringify({ ...testConfig, ledger: 'memory:', operator }));
const START = ['start', '--port', '0', '--config', config];
const FIELDS = ['url', 'operator_url'] as const;

/**
 * On Linux the machine has every address of 127.0.0.0/8: a listener on 127.0.0.1 refuses a
 * connection to 127.0.0.2, and a listener on all addresses accepts it.
 */
async function reaches(url: string, host: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), host);
  const reached = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return reached;
}

describe('a listener without --host', { timeout: 60_000 }, () => {
  it('accepts connections to relay and operator on loopback only', async () => {
    const running = runCommand(START, SECRETS);
    for (const field of FIELDS) {
      const url = await printed(running, new RegExp(`"${field}":"(http:[^"]+)"`));
      assert.deepEqual(
        [await reaches(url, '127.0.0.1'), await reaches(url, '127.0.0.2')],
        [true, false],
        field,
      );
    }
  });

  it('accepts connections to the sandbox on loopback only', async () => {
    const url = await printed(runCommand(['sandbox', '--port', '0']), /sandbox on (http:\S+?),/);
    assert.deepEqual(
      [await reaches(url, '127.0.0.1'), await reaches(url, '127.0.0.2')],
      [true, false],
    );
  });

  it('accepts connections on every address when --host is 0.0.0.0', async () => {
    const running = runCommand([...START, '--host', '0.0.0.0'], SECRETS);
    for (const field of FIELDS) {
      const url = await printed(running, new RegExp(`"${field}":"(http:[^"]+)"`));
      assert.equal(await reaches(url, '127.0.0.2'), true, field);
    }
  });
});

it('says before it listens that public_url leads to another port', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const file = join(folder, 'other-port.json');
  const public_url = 'http://localhost:1';
  writeFileSync(file, JSON.stringify({ ...testConfig, ledger: 'memory:', public_url }));
  const running = runCommand(['start', '--port', `${port}`, '--config', file], SECRETS);
  assert.equal(await running.code, 1);
  taken.close();
  assert.match(running.output(), /pages ask port 1, and this is \d+; start with --port 1/);
  assert.match(running.output(), /port \d+ is taken/);
});

it('leaves no file behind when the first page of a new ledger cannot be written', async () => {
  const file = join(folder, 'full.json');
  const ledger = join(folder, 'full.db');
  writeFileSync(file, JSON.stringify({ ...testConfig, ledger: `sqlite:${ledger}` }));
  const full = ['sh', '-c', 'ulimit -f 0 && exec "$@"', 'sh'];
  const running = runCommand(['start', '--port', '0', '--config', file], SECRETS, full);
  assert.equal(await running.code, 1, running.output());
  assert.match(running.output(), /the ledger cannot be written: is its disk full\?/);
  assert.equal(existsSync(ledger), false);
});

it('says in one line that the output of a command cannot be written', async () => {
  const full = ['sh', '-c', 'exec "$@" > /dev/full', 'sh'];
  const check = ['check', '--offline', '--config', config];
  for (const args of [['--version'], ['start', '--help'], check]) {
    const running = runCommand(args, SECRETS, full);
    assert.equal(await running.code, 1);
    assert.match(
      running.output(),
      /^pay-checkout-relay \S*: the answer could not be printed \(ENOSPC\); [^\n]*\n$/,
    );
  }
});

describe('the limit of open files at start', { timeout: 60_000 }, () => {
  const warning = /may open 1024 files, and a busy checkout needs \d+: write LimitNOFILE=65536/;
  for (const [limit, isWarned] of [
    [1024, true],
    [8192, false],
  ] as const)
    it(`${isWarned ? 'warns' : 'does not warn'} when the process may open ${limit}`, async () => {
      const shell = ['sh', '-c', `ulimit -n ${limit} && exec "$@"`, 'sh'];
      const running = runCommand(START, SECRETS, shell);
      await printed(running, /(listening)/);
      assert.equal(warning.test(running.output()), isWarned, running.output());
    });
});

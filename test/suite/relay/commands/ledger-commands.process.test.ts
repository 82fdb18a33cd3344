/** Ledgers are backed up beside a running relay, verified, restored, and moved. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { bindLedger } from '../../../../relay/bind-ledger.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { replacing } from '../../../../relay/ledger/rules.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { printed, runCommand, type Run } from '../../support/run-command.js';
import { createWorld, openIntent, readSecret, SECRETS, testConfig } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('ledger-commands');

const run = (...args: string[]): Run => runCommand(args, SECRETS);

/** Writes a configuration with the ledger `name`.db. */
function configOf(name: string, service: ConfigFile['service']): string {
  const file = join(folder, `${name}.json`);
  const ledger = `sqlite:${join(folder, `${name}.db`)}`;
  const links = { hosts: ['localhost'] };
  writeFileSync(file, JSON.stringify({ ...testConfig, service, ledger, links }));
  return file;
}

type Order = { order_no: string; outcome: string; request_id: string };

async function startRelay(...args: string[]): Promise<{
  pay: (attempt: string) => Promise<Order>;
  stop: () => Promise<number | null>;
}> {
  const running = run('start', '--port', '0', ...args);
  const url = await printed(running, /"url":"(http:[^"]+)"/);
  return {
    pay: async (attempt) => {
      const answer = await fetch(`${url}/v1/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...openIntent, attempt, option: 'card' }),
      });
      assert.equal(answer.status, 200);
      return ((await answer.json()) as { order: Order }).order;
    },
    stop: () => {
      running.child.kill('SIGTERM');
      return running.code;
    },
  };
}

type Sandbox = {
  base_url: string;
  /** The operations about an order that the sandbox has received, or all of them. */
  operations(requestId?: string): Promise<string[]>;
};

async function sandbox(): Promise<Sandbox> {
  const base_url = await printed(run('sandbox', '--port', '0'), /sandbox on (http:\S+?),/);
  return {
    base_url,
    operations: async (requestId) => {
      const answer = await fetch(`${base_url}/control/calls`);
      const calls = (await answer.json()) as { operation: string; body: { request_id?: string } }[];
      return calls
        .filter(({ body }) => requestId === undefined || body.request_id === requestId)
        .map(({ operation }) => operation);
    },
  };
}

describe('the commands for a ledger', () => {
  it('places no order twice when a relay is started on an earlier backup', async () => {
    const { base_url, operations } = await sandbox();
    const service = { base_url, not_found_codes: ['4040'] };
    const [config, restored] = [configOf('own', service), configOf('copy', service)];
    const copy = join(folder, 'copy.db');
    const [before, missed, later] = [1, 2, 3].map(() => crypto.randomUUID()) as [
      string,
      string,
      string,
    ];
    const relay = await startRelay('--config', config);
    await relay.pay(before);
    const backup = run('ledger', 'backup', copy, '--config', config);
    assert.equal(await backup.code, 0, backup.output());
    assert.equal(backup.output(), `backup of ${join(folder, 'own.db')} written to ${copy}\n`);
    assert.equal(statSync(copy).mode & 0o777, 0o600);
    const lost = await relay.pay(missed);
    assert.equal(await relay.stop(), 0);

    for (const file of [config, restored]) {
      const verify = run('ledger', 'verify', '--config', file);
      assert.equal(await verify.code, 0, verify.output());
      assert.equal(verify.output(), 'the ledger is consistent\n');
    }

    const recount = run('ledger', 'recount', '--config', config);
    assert.equal(await recount.code, 0, recount.output());
    assert.equal(recount.output(), 'the relays of this ledger count its orders again\n');
    const own = await openLedger(`sqlite:${join(folder, 'own.db')}`);
    assert.equal((await own.hourCounts({ since: 0, until: 0 })).isComplete, false);
    await own.close();

    const forgotten = run('start', '--port', '0', '--config', restored);
    assert.equal(await forgotten.code, 1);
    assert.match(forgotten.output(), /ledger: is a copy that "ledger backup" made at 20\S+Z; /);
    const paysBefore = (await operations()).filter((each) => each === 'pay').length;
    const second = await startRelay('--config', restored, '--restored');
    const found = await second.pay(missed);
    assert.deepEqual([found.order_no, found.outcome], [lost.order_no, 'pending']);
    const pays = (await operations()).filter((each) => each === 'pay').length;
    assert.equal(pays, paysBefore, 'the order that the backup lacks is found');
    const { request_id } = await second.pay(later);
    assert.deepEqual(
      (await operations(request_id)).slice(0, 2),
      ['query', 'pay'],
      'a new order is queried before its pay',
    );
    assert.equal(await second.stop(), 0);
  });

  it('leaves no copy without a stamp behind when a backup is killed', async () => {
    const config = configOf('killed', { base_url: 'https://service.example' });
    await (await openLedger(`sqlite:${join(folder, 'killed.db')}`)).close();
    const copy = join(folder, 'killed-copy.db');
    const killing = join(folder, 'killing.mjs');
    // the stamp is the time as text
    writeFileSync(
      killing,
      "Date.prototype.toISOString = () => process.kill(process.pid, 'SIGKILL')",
    );
    const args = ['ledger', 'backup', copy, '--config', config];
    const killed = runCommand(args, { ...SECRETS, NODE_OPTIONS: `--import ${killing}` });
    assert.equal(await killed.code, null, killed.output());
    assert.equal(existsSync(copy), false);
    rmSync(`${copy}.part`);
    const whole = run(...args);
    assert.equal(await whole.code, 0, whole.output());
    const again = run(...args);
    assert.equal(await again.code, 1);
    assert.match(again.output(), /killed-copy\.db exists already/);
  });

  it('moves a ledger to new addresses, and lists the open orders', async () => {
    const { base_url } = await sandbox();
    const config = configOf('moving', { base_url });
    const world = createWorld({ ledger: await openLedger(`sqlite:${join(folder, 'moving.db')}`) });
    await bindLedger(
      parseConfig({ ...testConfig, service: { base_url } }, readSecret),
      world.ledger,
    );
    const { body } = await world.ask('/v1/pay', {
      sku: 'tee',
      attempt: crypto.randomUUID(),
      option: 'card',
    });
    const old = await world.ask('/v1/pay', {
      sku: 'tee',
      attempt: crypto.randomUUID(),
      option: 'card',
    });
    const forgotten = (await world.ledger.find(old.body.order?.request_id ?? ''))?.order;
    assert.ok(forgotten);
    const unfollowed = { ...forgotten, next_check_at: null, version: forgotten.version + 1 };
    const rule = replacing(forgotten)(unfollowed, Date.now());
    await world.ledger.change(forgotten.intent_id, rule);
    await world.relay.close();
    await world.ledger.close();
    const from = 'https://shop.example/pay';
    const to = 'https://new.example/pay';
    writeFileSync(
      config,
      JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), public_url: to }),
    );
    const start = run('start', '--port', '0', '--config', config);
    assert.equal(await start.code, 1);
    assert.match(start.output(), /ledger move --public-url https:\/\/shop\.example\/pay"/);
    for (const args of [['move'], ['verify', '--public-url', from], ['recount', 'all']]) {
      const wrong = run('ledger', ...args, '--config', config);
      assert.equal(await wrong.code, 2, wrong.output());
    }
    const move = run('ledger', 'move', '--config', config, '--public-url', `${from}/`);
    assert.equal(await move.code, 0, move.output());
    const { request_id = '', intent_id = '' } = body.order ?? {};
    const lines = move.output().split('\n');
    assert.deepEqual(lines.slice(0, 2), [
      `public_url: ${from} is now ${to}`,
      'open orders, which the relay goes on following: 1',
    ]);
    assert.match(lines[2] ?? '', new RegExp(`^  ${request_id}  pending  ${intent_id}  20..-`));
    assert.deepEqual(lines.slice(3), [
      `Order tokens for ${from} are accepted for 48 hours: sign new ones for ${to}.`,
      `Links and notify_urls that were given out lead to ${from}: forward it to the relay,`,
      `and keep ${new URL(from).origin} in shop.origins, or its pages are refused.`,
      '',
    ]);
    const verify = run('ledger', 'verify', '--config', config);
    assert.equal(await verify.code, 0, verify.output());
  });

  it('refuses to start with --restored when service.not_found_codes are absent', async () => {
    const config = configOf('codeless', { base_url: 'https://service.example' });
    const running = run('start', '--port', '0', '--config', config, '--restored');
    assert.equal(await running.code, 1);
    assert.match(running.output(), /--restored: needs service\.not_found_codes/);
    assert.doesNotMatch(running.output(), /listening/);
  });
});

/** A copy of a ledger does not sell before its restore; a clone is read, and sends nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { bindLedger } from '../../../../relay/bind-ledger.js';
import { findings } from '../../../../relay/commands/check-findings.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { Config } from '../../../../relay/config/schema.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { stampBackup } from '../../../../relay/commands/ledger.js';
import { nodeRelay, type NodeRelay } from '../../../../relay/server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { bearer, createWorld, postRequest, readSecret, testConfig } from '../../support/world.js';

const folder = temporaryFolder('clone');
const tee = { sku: 'tee', option: 'card' };

let received = 0;
const service = createServer((_request, response) => {
  received += 1;
  response.end();
});
let base_url = '';
before(async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening');
  base_url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
after(() => service.close());

const configOf = (file: string): Config =>
  parseConfig(
    {
      ...testConfig,
      ledger: `sqlite:${file}`,
      public_url: base_url,
      shop: { ...testConfig.shop, origins: [base_url] },
      service: { base_url, not_found_codes: ['4040'] },
      shop_events: { url: base_url, secret: { env: 'SECRET' } },
    },
    readSecret,
  );

/** A stamped copy of a ledger with one order. */
async function copyOfLedger(): Promise<{ copy: Config; real: Config; request_id: string }> {
  const [from, to] = [1, 2].map(() => join(folder, `${crypto.randomUUID()}.db`)) as [
    string,
    string,
  ];
  const ledger = await openLedger(`sqlite:${from}`);
  const real = configOf(from);
  await bindLedger(real, ledger);
  const world = createWorld({ ledger });
  const placed = await world.ask('/v1/pay', { ...tee, attempt: crypto.randomUUID() });
  await world.relay.close();
  await ledger.backup(to);
  stampBackup(to, new Date());
  await ledger.close();
  return { copy: configOf(to), real, request_id: placed.body.order?.request_id ?? '' };
}

type Flags = { restored?: boolean; notRestored?: boolean };
const start = (config: Config, flags: Flags = {}): Promise<NodeRelay> =>
  nodeRelay(config, { script: new URL('file:///none'), log: () => {}, ...flags });

describe('a copy of a ledger', () => {
  it('refuses to start before the restore, and starts without a flag after it', async () => {
    const { copy } = await copyOfLedger();
    const why = /^Error: ledger: is a copy that "ledger backup" made at 20\S+Z; .*start --restored/;
    await assert.rejects(start(copy), why);
    await (await start(copy, { restored: true })).close();
    await (await start(copy)).close();
  });

  it('is named by check', async () => {
    const { copy } = await copyOfLedger();
    const found = await findings(copy, { isOffline: false });
    const line = found.find(({ path }) => path === 'ledger');
    assert.equal(line?.level, 'warn');
    assert.match(line.text, /^is a copy that "ledger backup" made at 20/);
  });

  it('is read with --not-restored, and then nothing reaches service or shop', async () => {
    const { copy, real, request_id } = await copyOfLedger();
    await assert.rejects(
      start(real, { notRestored: true }),
      /^Error: --not-restored: the ledger is/,
    );
    received = 0;
    const relay = await start(copy, { notRestored: true });
    const ask = (path: string, body: object): Promise<Response> =>
      relay.fetch(postRequest(path, body, bearer));
    const query = await ask('/v1/query', { request_id });
    assert.match(await query.text(), new RegExp(`"request_id":"${request_id}"`));
    const pay = await ask('/v1/pay', { ...tee, attempt: crypto.randomUUID() });
    assert.equal(pay.status, 503);
    const why = 'this relay was started with --not-restored: nothing leaves it';
    assert.match(await pay.text(), new RegExp(`"message":"${why}; nothing was placed"`));
    const resent = await ask('/v1/events/resend', { since: '2020-01-01T00:00:00Z' });
    assert.match(await resent.text(), /"resent":1/);
    const ready = await relay.fetch(new Request(`${base_url}/readyz`));
    assert.equal(ready.status, 503);
    await relay.tick();
    await relay.tryService();
    await relay.close();
    assert.equal(received, 0);
    // the clone is no less a copy afterwards
    await assert.rejects(start(copy), /is a copy/);
  });
});

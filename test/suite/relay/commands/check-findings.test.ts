/** What `check` finds out from a relay, a clock and a receiver. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { findings } from '../../../../relay/commands/check-findings.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { Finding } from '../../../../relay/config/findings.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { readSecret, SECRETS, testConfig } from '../../support/world.js';

const folder = temporaryFolder('check-findings');
SECRETS.REQUESTS = 'the-key-of-the-request-ids-of-the-tests';

/** What `check` finds when one server is the service, the relay, the shop and its receiver. */
async function found(answer: RequestListener, mode: 'live' | 'test' = 'test'): Promise<Finding[]> {
  const server = createServer(answer);
  after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = parseConfig(
    {
      ...testConfig,
      mode,
      ledger: `sqlite:${join(folder, 'none.db')}`,
      public_url: url,
      request_id_key: { env: 'REQUESTS' },
      shop: { ...testConfig.shop, origins: [url] },
      service: { base_url: url },
      shop_events: { url, secret: { env: 'SECRET' } },
    },
    readSecret,
  );
  return findings(config, { isOffline: false });
}

/** A relay that answers /readyz like this. */
const ready =
  (status: number, body: string): RequestListener =>
  ({ url }, response) => {
    if (url === '/healthz') response.end('{"status":"ok"}');
    else if (url === '/readyz') response.writeHead(status).end(body);
    else response.end();
  };
const linesOf = (all: readonly Finding[], path: RegExp): string[] =>
  all
    .filter((each) => path.test(each.path))
    .map(({ level, path, text }) => `${level} ${path}: ${text}`);

describe('check on a relay that runs', () => {
  const fine = { status: 'ok', ledger: 'ok', keys: 'ok', service: 'ok' };
  const of = async (status: number, body: object | string): Promise<string[]> =>
    linesOf(
      await found(ready(status, typeof body === 'string' ? body : JSON.stringify(body))),
      /^public_url/,
    );

  it('names each field of /readyz that is not ok, with what to do', async () => {
    const [answers, ...lines] = await of(200, {
      ...fine,
      ledger: 'read_only',
      service: 'refuses',
      lists: 'held_back',
    });
    assert.match(answers ?? '', /^ok public_url: a relay answers there/);
    assert.equal(lines.length, 3);
    assert.match(lines[0] ?? '', /^error public_url\/readyz ledger: read_only; .*the disk/);
    assert.match(lines[1] ?? '', /^error public_url\/readyz service: refuses; .*log/);
    assert.match(lines[2] ?? '', /^error public_url\/readyz lists: held_back; .*transaction/);
  });

  it('reads an answer 503 too', async () => {
    const [, ...lines] = await of(503, { ...fine, status: 'stopping' });
    assert.deepEqual(
      lines.map((line) => line.split(';')[0]),
      ['error public_url/readyz status: stopping'],
    );
  });

  it('finds nothing when all is ok, or a server in front does not pass /readyz on', async () => {
    assert.equal((await of(200, fine)).length, 1);
    assert.equal((await of(404, '<h1>not found</h1>')).length, 1);
  });
});

describe('check of the clock', () => {
  it('takes the first age when two caches give theirs, and none that is no number', async () => {
    const of = async (age: string, secondsAgo: number): Promise<string[]> => {
      const date = new Date(Date.now() - secondsAgo * 1000).toUTCString();
      const answer: RequestListener = (_, response) =>
        void response.writeHead(200, { age, date }).end();
      return linesOf(await found(answer), /^clock$/);
    };
    assert.match((await of('600, 6', 600)).join(), /^ok clock: within \d s of the service$/);
    assert.match((await of('old', 600)).join(), /^error clock: (599|600|601) s off/);
  });
});

describe('check on a receiver of events', () => {
  it('advises to send a fake event only where the command sends one', async () => {
    const answer: RequestListener = (_, response) => void response.end();
    const [test] = linesOf(await found(answer), /^shop_events\.url/);
    assert.match(test ?? '', /`trigger order\.succeeded`/);
    const [live] = linesOf(await found(answer, 'live'), /^shop_events\.url/);
    assert.equal(live, 'ok shop_events.url: can be reached');
  });
});

describe('the token of an option’s codes', () => {
  it('is named when it is on another network than pay_currency names', async () => {
    const tether = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    const found = async (contract: string, pay_currency: string): Promise<string[]> => {
      const code = { token: { contract, decimals: 6 } };
      const [option] = testConfig.options ?? [];
      const options = [{ ...option, pay_currency, code }];
      const config = parseConfig({ ...testConfig, options }, readSecret);
      const all = await findings(config, { isOffline: true });
      return all.flatMap(({ level, path }) => (path.includes('token.contract') ? [level] : []));
    };
    for (const [contract, pay_currency] of [
      [tether, 'USDT_TRC20'],
      [`${tether}@137`, 'USDT_ERC20'],
      [mint, 'USDTTRC20'],
    ] as const)
      assert.deepEqual(await found(contract, pay_currency), ['error'], pay_currency);
    for (const [contract, pay_currency] of [
      [tether, 'USDT_ERC20'],
      [`${tether}@137`, 'USDTMATIC'],
      [mint, 'USDC_SOL'],
      [mint, 'USDC'],
    ] as const)
      assert.deepEqual(await found(contract, pay_currency), [], pay_currency);
  });
});

/** The wallets of an option: a flag in the answer of checkout, and a list of their own. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCheckout, readWallets } from '../../../../relay/contract/read.js';
import { walletsResponse } from '../../../../relay/contract/responses.js';
import { createWorld, openIntent, type World } from '../../support/world.js';

const code = { label: 'A', payment_method: 'on_line' } as const;
const birch = { name: 'Birch Bank', scheme: 'birch', icon_url: 'https://shop.example/birch.svg' };
const options = [
  { ...code, id: 'sbp', wallets: [birch] },
  { ...code, id: 'plain' },
];
const open = (): World => createWorld({ config: { options, links: { schemes: ['birch'] } } });
const get = ({ relay }: World, path: string, headers: Record<string, string> = {}) =>
  relay.fetch(new Request(`https://shop.example${path}`, { headers }));

describe('the wallets of an option', () => {
  it('are a flag in the answer of checkout', async () => {
    const { body } = await open().ask('/v1/checkout', openIntent);
    const { checkout } = readCheckout(body);
    assert.deepEqual(
      checkout.options.map(({ id, wallets }) => [id, wallets]),
      [
        ['sbp', true],
        ['plain', undefined],
      ],
    );
    assert.ok(!JSON.stringify(checkout).includes('Birch'));
  });

  it('are served to any page', async () => {
    const answer = await get(open(), '/wallets/sbp.json');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300');
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    const body: unknown = await answer.json();
    assert.deepEqual(body, { wallets: [birch] });
    assert.deepEqual(JSON.parse(JSON.stringify(readWallets(body))), [birch]);
    assert.deepEqual(walletsResponse.parse(body), body);
  });

  it('are not sent again while a cached copy is right', async () => {
    const world = open();
    const etag = (await get(world, '/wallets/sbp.json')).headers.get('etag') ?? '';
    for (const [tags, status] of [
      [etag, 304],
      [`W/${etag}`, 304],
      [`"other", W/${etag}`, 304],
      ['*', 304],
      ['"other"', 200],
      ['', 200],
    ] as const) {
      const again = await get(world, '/wallets/sbp.json', { 'if-none-match': tags });
      assert.equal(again.status, status, tags);
    }
    const other = createWorld({
      config: {
        options: [{ ...code, id: 'sbp', wallets: [{ ...birch, name: 'Oak' }] }],
        links: { schemes: ['birch'] },
      },
    });
    assert.notEqual((await get(other, '/wallets/sbp.json')).headers.get('etag'), etag);
  });

  it('are not found for an option without wallets, or without a file name', async () => {
    for (const path of ['plain.json', 'none.json', 'sbp', '', '..%2fsbp.json', 'sbp.json/x'])
      assert.equal((await get(open(), `/wallets/${path}`)).status, 404, path);
  });
});

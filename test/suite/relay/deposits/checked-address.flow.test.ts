/** An address is shown only after its checksum and, if configured, the service confirm it. */
import { expect } from '@open-wc/testing';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { createWorld, type World } from '../../support/world.js';

const deposits: ConfigFile['deposits'] = [
  { currency: 'XRP', uri_family: 'ripple', verify: true },
  { currency: 'BTC', uri_family: 'bitcoin' },
  { currency: 'DOGE', uri_family: 'dogecoin' },
];
const ask = (world: World, currency: string, customer_ref_id = 'c1'): ReturnType<World['ask']> =>
  world.ask('/v1/deposit-address', { currency, customer_ref_id });
const code = (body: Record<string, unknown>): string => (body.error as { code: string }).code;
const answerWith = (world: World, data: object): void =>
  void Object.assign(world.sandbox, { fetch: async () => Response.json({ code: 200, data }) });
const calls = (world: World): string[] => world.sandbox.calls.map(({ operation }) => operation);

describe('a checked deposit address', () => {
  it('verifies a deposit address once, stores it and shows it with a payment URI', async () => {
    const world = createWorld({ config: { deposits } });
    const { body } = await ask(world, 'XRP');
    const { address, tag, uri } = body.deposit_address as Record<string, string>;
    expect(uri).to.equal(`ripple:${address}?dt=${tag}`);
    await ask(world, 'XRP');
    expect(calls(world)).to.deep.equal(['deposit_address', 'verifyDepositAddress']);
  });
  it('neither shows nor stores an address that the service does not confirm', async () => {
    const world = createWorld({ config: { deposits } });
    world.sandbox.faults.add({ operation: 'verifyDepositAddress', fault: 'refusal' });
    const refused = await ask(world, 'XRP');
    expect([refused.status, code(refused.body)]).to.deep.equal([502, 'address_unverified']);
    expect((await ask(world, 'XRP')).status).to.equal(200);
  });
  it('does not blame the address when the service refuses the credential', async () => {
    const world = createWorld({ config: { deposits } });
    const answers = world.sandbox.fetch;
    const fetch = async (request: Request): Promise<Response> =>
      request.url.endsWith('/verifyDepositAddress')
        ? Response.json({ code: 401, message: 'no key' }, { status: 401 })
        : answers(request);
    Object.assign(world.sandbox, { fetch });
    const refused = await ask(world, 'XRP');
    expect([refused.status, code(refused.body)]).to.deep.equal([502, 'service_refused']);
    Object.assign(world.sandbox, { fetch: answers });
    expect((await ask(world, 'XRP')).status).to.equal(200);
  });
  it('verifies an address once that was stored without, and the customer keeps it', async () => {
    const ledger = memoryLedger();
    const unverified = { ledger, config: { deposits: [{ currency: 'XRP' }] } };
    const before = createWorld(unverified);
    const addressIn = async (world: World): Promise<unknown> => {
      const { body } = await ask(world, 'XRP');
      return (body.deposit_address as { address: string }).address;
    };
    const address = await addressIn(before);
    const { sandbox } = before;
    sandbox.calls.length = 0;
    const world = createWorld({ ledger, sandbox, config: { deposits } });
    for (let times = 0; times < 2; times++) expect(await addressIn(world)).to.equal(address);
    expect(await addressIn(createWorld({ ...unverified, sandbox }))).to.equal(address);
    expect(calls(world)).to.deep.equal(['verifyDepositAddress']);
  });
  for (const verify of [false, true])
    it(`asks again for a tag that was absent before tags were set, verify: ${verify}`, async () => {
      const address = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
      const [ledger, said] = [memoryLedger(), { currency: 'XRP', address }];
      const before = createWorld({ ledger, config: { deposits: [{ currency: 'XRP' }] } });
      const { sandbox } = before;
      answerWith(before, said);
      expect((await ask(before, 'XRP')).status).to.equal(200);
      const config = { deposits: [{ currency: 'XRP', uri_family: 'ripple' as const, verify }] };
      const world = createWorld({ ledger, sandbox, config });
      expect(code((await ask(world, 'XRP')).body)).to.equal('service_unreadable');
      answerWith(world, { ...said, tag: '7' });
      for (let times = 0; times < 2; times++) {
        const { body } = await ask(world, 'XRP');
        expect(body.deposit_address).to.include({ address, tag: '7' });
        answerWith(world, said);
      }
    });
  it('shows no address when its verification gets no answer', async () => {
    const world = createWorld({ config: { deposits } });
    world.sandbox.faults.add({ operation: 'verifyDepositAddress', fault: 'cut_before' });
    const silent = await ask(world, 'XRP');
    expect([silent.status, code(silent.body)]).to.deep.equal([504, 'service_timeout']);
  });
  it('shows an address without a URI, and logs it, when its form is unknown', async () => {
    const world = createWorld({
      config: { deposits: [{ currency: 'XRP', uri_family: 'ripple' }] },
    });
    const address = 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ';
    answerWith(world, { currency: 'XRP', address, tag: '' });
    const { body } = await ask(world, 'XRP');
    expect(body.deposit_address).to.include({ address, unchecked: true });
    expect(body.deposit_address).not.to.have.property('uri');
    expect(world.log.filter(({ event }) => event === 'deposit_address').length).to.equal(1);
  });
  it('counts a deposit address against the limit only when the service is asked', async () => {
    const spent: string[] = [];
    const world = createWorld({
      config: { deposits },
      limiter: async (bucket, key) => bucket !== 'deposit' || spent.push(key) <= 2,
    });
    expect((await ask(world, 'BTC')).status).to.equal(200);
    expect((await ask(world, 'BTC')).status).to.equal(200);
    expect((await ask(world, 'XRP')).status).to.equal(200);
    expect((await ask(world, 'DOGE')).status).to.equal(429);
    expect((await ask(world, 'BTC')).status).to.equal(200);
    expect(spent.length).to.equal(3);
  });
  for (const [what, data] of [
    ['an address with a zero-width space', { address: 'rN7n\u200bAbc', tag: '1' }],
    ['an address with a change of direction', { address: '\u202ecbAn7Nr', tag: '' }],
    ['an address with a letter that looks Latin', { address: 'r\u041d7nAbc', tag: '' }],
    ['an address with a space', { address: 'rN7n Abc', tag: '' }],
    ['a tag with a zero-width joiner', { address: 'rN7nAbc', tag: '12\u200d3' }],
    ['a tag with a control character', { address: 'rN7nAbc', tag: '12\u00073' }],
    ['a tag with a no-break space', { address: 'rN7nAbc', tag: '12\u00a03' }],
  ] as const)
    it(`neither shows, stores nor logs ${what}`, async () => {
      const world = createWorld({ config: { deposits } });
      const answers = world.sandbox.fetch;
      let bad = true;
      Object.assign(world.sandbox, {
        fetch: async (request: Request) => {
          if (!bad || !request.url.endsWith('/deposit_address')) return answers(request);
          return Response.json({ code: 200, data: { currency: 'DOGE', ...data } });
        },
      });
      const { body, status } = await ask(world, 'DOGE');
      expect([status, code(body)]).to.deep.equal([502, 'address_unverified']);
      const lines = world.log.filter(({ event }) => event === 'deposit_address');
      expect(lines.map(({ level, fields }) => [level, fields.currency])).to.deep.equal([
        ['error', 'DOGE'],
      ]);
      expect(JSON.stringify([world.log, body])).not.to.include('7nAbc');
      bad = false;
      expect((await ask(world, 'DOGE')).status).to.equal(200);
    });
  for (const tag of [null, undefined])
    it(`neither shows nor stores an address when the tag of its network is ${tag}`, async () => {
      const tagged = { currency: 'DOGE', tag_label: 'Memo' };
      const world = createWorld({ config: { deposits: [tagged] } });
      const answers = world.sandbox.fetch;
      Object.assign(world.sandbox, {
        fetch: async () =>
          Response.json({ code: 200, data: { currency: 'DOGE', address: 'D7nAbc', tag } }),
      });
      const { body, status } = await ask(world, 'DOGE');
      expect([status, code(body)]).to.deep.equal([502, 'service_unreadable']);
      Object.assign(world.sandbox, { fetch: answers });
      expect((await ask(world, 'DOGE')).status).to.equal(200);
    });
  it('withholds a stored address that is older than the present checks', async () => {
    const world = createWorld({ config: { deposits } });
    const known = { customer_ref_id: 'c1', currency: 'DOGE', network: '', tag: '', created_at: 1 };
    await world.ledger.keepDepositAddress({ ...known, address: 'D\u200bAbc' });
    const { body, status } = await ask(world, 'DOGE');
    expect([status, code(body)]).to.deep.equal([502, 'address_unverified']);
  });
});

describe('a tag or address that the family of its asset cannot have', () => {
  const XRP = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
  const XLM = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
  const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const ripple = { uri_family: 'ripple' } as const;
  const memo = (memo_type: 'MEMO_ID' | 'MEMO_TEXT') =>
    ({ uri_family: 'stellar', memo_type }) as const;
  const cases: [Partial<NonNullable<ConfigFile['deposits']>[number]>, string, string][] = [
    [ripple, XRP, '-1'],
    [ripple, XRP, '4294967296'],
    [ripple, XRP, '７３９'],
    [ripple, XRP, '1&amount=1'],
    [ripple, XRP, '1e3'],
    [ripple, XRP, '007'],
    [ripple, XRP, '1'.repeat(10_000)],
    [memo('MEMO_ID'), XLM, '18446744073709551616'],
    [memo('MEMO_ID'), XLM, 'Ab3'],
    [memo('MEMO_TEXT'), XLM, 'é'.repeat(15)],
    [{ uri_family: 'stellar' }, XLM, 'a'.repeat(64) + '0'],
    [{ uri_family: 'ethereum' }, ETH, '5'],
    [{ tag_label: 'Memo' }, 'sandbox12345', '1'.repeat(10_000)],
    [{}, 'a'.repeat(10_000), ''],
    [{ uri_family: 'bitcoin' }, XRP, ''],
    [{ uri_family: 'ethereum' }, `0x${'0'.repeat(40)}`, ''],
  ];
  for (const [asset, address, tag] of cases)
    it(`is not shown: ${address.slice(0, 50)} with "${tag.slice(0, 40)}"`, async () => {
      const world = createWorld({ config: { deposits: [{ currency: 'X', ...asset }] } });
      answerWith(world, { currency: 'X', address, tag });
      const { body, status } = await ask(world, 'X');
      expect([status, code(body)]).to.deep.equal([502, 'address_unverified']);
      const stored = createWorld({ config: { deposits: [{ currency: 'X', ...asset }] } });
      const row = { customer_ref_id: 'c1', currency: 'X', network: '', created_at: 1 };
      await stored.ledger.keepDepositAddress({ ...row, address, tag });
      expect((await ask(stored, 'X')).status).to.equal(502);
    });

  for (const [asset, address, tag] of [
    [ripple, XRP, '4294967295'],
    [memo('MEMO_ID'), XLM, '18446744073709551615'],
    [memo('MEMO_TEXT'), XLM, 'Ab3-order'],
    [{ uri_family: 'stellar' as const }, XLM, 'a'.repeat(64)],
    [{ tag_label: 'Memo' }, 'sandbox12345', 'Ab3-order'],
  ] as const)
    it(`is shown when the family can have it: "${tag}"`, async () => {
      const world = createWorld({ config: { deposits: [{ currency: 'X', ...asset }] } });
      answerWith(world, { currency: 'X', address, tag });
      expect((await ask(world, 'X')).body.deposit_address).to.include({ address, tag });
    });
});

describe('a stored deposit address', () => {
  it('requests an address again when the network changes, and keeps the old one', async () => {
    const ledger = memoryLedger();
    const on = (network: string): World =>
      createWorld({ ledger, config: { deposits: [{ currency: 'USDT', network }] } });
    const first = on('Ethereum');
    await ask(first, 'USDT');
    await ask(first, 'USDT');
    expect(calls(first)).to.deep.equal(['deposit_address']);
    const second = on('TRON');
    await ask(second, 'USDT');
    expect(calls(second)).to.deep.equal(['deposit_address']);
    expect(await ledger.depositAddress('c1', 'USDT', 'Ethereum')).not.to.equal(null);
    expect(await ledger.depositAddress('c1', 'USDT', 'TRON')).not.to.equal(null);
  });
});

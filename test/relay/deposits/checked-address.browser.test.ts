/** An address is checked before it is shown: by its checksum, and by the service when configured so. */
import { expect } from '@open-wc/testing';
import type { ConfigFile } from '../../../relay/config/schema.js';
import { createWorld, type World } from '../../world.js';

const deposits: ConfigFile['deposits'] = [
  { currency: 'XRP', uri_family: 'ripple', verify: true },
  { currency: 'BTC', uri_family: 'bitcoin' },
  { currency: 'DOGE', uri_family: 'dogecoin' },
];
const ask = (world: World, currency: string, customer_ref_id = 'c1'): ReturnType<World['ask']> =>
  world.ask('/v1/deposit-address', { currency, customer_ref_id });
const code = (body: Record<string, unknown>): string => (body.error as { code: string }).code;
const calls = (world: World): string[] => world.sandbox.calls.map(({ operation }) => operation);

describe('a checked deposit address', () => {
  it('comes with a payment URI, verified once and remembered', async () => {
    const world = createWorld({ config: { deposits } });
    const { body } = await ask(world, 'XRP');
    const { address, tag, uri } = body.deposit_address as Record<string, string>;
    expect(uri).to.equal(`ripple:${address}?dt=${tag}`);
    await ask(world, 'XRP');
    expect(calls(world)).to.deep.equal(['deposit_address', 'verifyDepositAddress']);
  });
  it('is not shown when the service does not vouch for it, and not remembered', async () => {
    const world = createWorld({ config: { deposits } });
    world.sandbox.faults.add({ operation: 'verifyDepositAddress', fault: 'refusal' });
    const refused = await ask(world, 'XRP');
    expect([refused.status, code(refused.body)]).to.deep.equal([502, 'address_unverified']);
    expect((await ask(world, 'XRP')).status).to.equal(200);
  });
  it('is not shown when the verification is not answered', async () => {
    const world = createWorld({ config: { deposits } });
    world.sandbox.faults.add({ operation: 'verifyDepositAddress', fault: 'cut_before' });
    const silent = await ask(world, 'XRP');
    expect([silent.status, code(silent.body)]).to.deep.equal([504, 'service_timeout']);
  });
  it('of a shape that its family does not know is shown without a URI, and logged', async () => {
    const world = createWorld({ config: { deposits } });
    const { body } = await ask(world, 'DOGE');
    expect(body.deposit_address).to.not.have.property('uri');
    expect(world.log.filter(({ event }) => event === 'deposit_address').length).to.equal(1);
  });
  it('costs the customer and address a point only when the service is asked', async () => {
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
});

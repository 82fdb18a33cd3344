/** The address by which the Hono adapter limits a customer on Deno and Bun. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Hono } from 'hono';
import { payCheckout } from '../../../../relay/adapters/hono.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { openIntent, SECRETS, testConfig } from '../../support/world.js';

Object.assign(process.env, SECRETS);

/** The second argument that the listener of each runtime passes with a request. */
const listeners: Record<string, (address: string) => object> = {
  Deno: (hostname) => ({ remoteAddr: { transport: 'tcp', hostname, port: 40_000 } }),
  Bun: (address) => ({
    address,
    requestIP(this: { address: string }) {
      return { address: this.address, family: 'IPv4', port: 40_000 };
    },
  }),
};

for (const [name, infoOf] of Object.entries(listeners))
  describe(`the Hono adapter on ${name}`, () => {
    it('limits a customer by the address of the connection, not by a header', async () => {
      const pay = payCheckout({
        config: { ...testConfig, limits: { per_ip_per_minute: 2 } },
        ledger: memoryLedger(),
      });
      const app = new Hono().route('/pay', pay);
      let invented = 0;
      const ask = async (address: string): Promise<number> => {
        const headers = {
          'content-type': 'application/json',
          'x-forwarded-for': `198.51.100.${++invented}`,
        };
        const request = new Request('http://localhost/pay/v1/checkout', {
          method: 'POST',
          headers,
          body: JSON.stringify(openIntent),
        });
        return (await app.fetch(request, infoOf(address))).status;
      };
      const one = '192.0.2.1';
      assert.deepEqual([await ask(one), await ask(one), await ask(one)], [200, 200, 429]);
      assert.equal(await ask('192.0.2.2'), 200);
      await pay.close();
    });
  });

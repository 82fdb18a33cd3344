/** What the Medusa plugin reads from a shop's medusa-config.ts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingOptions, pluginOptions, relayOf } from '../../../../widget/medusa/options.js';

const PACKAGE = 'pay-checkout-medusa';
const defaults = { hooks: true, schedule: '* * * * *' };
const provider = {
  resolve: `${PACKAGE}/providers/pay-checkout`,
  options: { relay: 'https://shop.example/pay', secretKey: 'sk_1' },
};

describe('the options of the Medusa plugin', () => {
  it('registers the hooks, and reconciles every minute, when the shop sets no option', () => {
    for (const plugins of [[PACKAGE], [{ resolve: PACKAGE }], [{ resolve: PACKAGE, options: {} }]])
      assert.deepEqual(pluginOptions(plugins), defaults);
  });

  it('reads its own options, and not those of another plugin', () => {
    const options = { hooks: false, schedule: '*/5 * * * *' };
    const other = { resolve: 'medusa-plugin-of-another', options };
    assert.deepEqual(pluginOptions(['another', other, PACKAGE]), defaults);
    assert.deepEqual(pluginOptions([other, { resolve: PACKAGE, options }]), options);
  });

  it('refuses an option of another type, which a shop would believe to be set', () => {
    const read = (options: object) => () => pluginOptions([{ resolve: PACKAGE, options }]);
    assert.throws(read({ hooks: 'false' }), /pay-checkout-medusa: hooks must be true or false/);
    assert.throws(read({ schedule: 5 }), /pay-checkout-medusa: schedule must be a cron expression/);
  });

  it('finds the relay in the options of the provider, among other providers', () => {
    const other = { resolve: '@medusajs/medusa/payment-stripe', options: { apiKey: 'k' } };
    assert.deepEqual(relayOf({ options: { providers: [other, provider] } }), {
      relay: 'https://shop.example/pay',
      secret_key: 'sk_1',
      livemode: undefined,
    });
  });

  it('reads the mode beside the relay, and refuses a text, which no order would have', () => {
    const read = (livemode: unknown) => () =>
      relayOf({
        options: { providers: [{ ...provider, options: { ...provider.options, livemode } }] },
      }).livemode;
    assert.deepEqual([read(true)(), read(false)()], [true, false]);
    assert.throws(read('true'), /pay-checkout-medusa: livemode must be true or false/);
  });

  it('says which provider is missing when the payment module does not have it', () => {
    const without = { ...provider, options: { relay: 'https://shop.example/pay' } };
    for (const module of [
      undefined,
      true,
      {},
      { options: {} },
      { options: { providers: 'none' } },
      { options: { providers: [null, 'pay-checkout'] } },
      { options: { providers: [without] } },
    ])
      assert.throws(() => relayOf(module), /no provider pay-checkout-medusa\/providers\/pay-che/);
  });

  it('names each option of the provider that is missing or empty', () => {
    const options = {
      relay: 'https://shop.example/pay',
      secretKey: 'sk_1',
      tokenKey: { kid: 'k1', secret: 's' },
      eventsSecret: 'whsec_1',
      productName: 'Order',
    };
    assert.deepEqual(missingOptions(options), []);
    assert.deepEqual(missingOptions({ ...options, relay: '' }), ['relay']);
    assert.deepEqual(missingOptions({ ...options, tokenKey: { kid: 'k1', secret: '' } }), [
      'tokenKey.secret',
    ]);
    assert.deepEqual(missingOptions({}), [
      'relay',
      'secretKey',
      'tokenKey.kid',
      'tokenKey.secret',
      'eventsSecret',
      'productName',
    ]);
  });
});

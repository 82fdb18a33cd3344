/** Checks which options a pay request may choose. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../../../relay/contract/failure.js';
import type { PayRequest } from '../../../../relay/contract/requests.js';
import type { OrderIntent } from '../../../../relay/intent/order-intent.js';
import { readIntent } from '../../../../relay/intent/read-intent.js';
import { offerOf } from '../../../../relay/orders/option-switches.js';
import { findOption, offeredOptions, whyNoOption } from '../../../../relay/orders/offer.js';
import { openIntent } from '../../support/world.js';
import { config } from '../intent/signed-token.js';

const intent = (change: Partial<OrderIntent> = {}): Promise<OrderIntent> =>
  readIntent(config, openIntent, null).then((read) => ({ ...read, ...change }));
/** The option that is found, else the code and the field of the refusal. */
const find = (
  of: OrderIntent,
  option: string,
  customer?: PayRequest['customer'],
  using = config,
): unknown => {
  try {
    return findOption(offerOf(using, new Map()), of, { option, customer }).id;
  } catch (error) {
    assert.ok(error instanceof Failure);
    return [error.code, error.field];
  }
};

describe('findOption', () => {
  it('finds an option that fits the intent', async () =>
    assert.equal(find(await intent(), 'card'), 'card'));

  it('refuses an option as unknown when it is absent or disabled', async () => {
    assert.deepEqual(find(await intent(), 'cash'), ['option_unknown', 'option']);
    const options = config.options.map((option) => ({ ...option, enabled: option.id !== 'card' }));
    assert.deepEqual(find(await intent(), 'card', undefined, { ...config, options }), [
      'option_unknown',
      'option',
    ]);
  });

  it('refuses an option that does not fit the amount, the currency or the token', async () => {
    const refused = ['option_not_available', 'option'];
    assert.deepEqual(find(await intent(), 'large'), refused);
    assert.deepEqual(find(await intent(), 'euro'), refused);
    assert.deepEqual(find(await intent({ pay_currency: 'BTC' }), 'chain'), refused);
    assert.equal(find(await intent({ pay_currency: 'USDT' }), 'chain'), 'chain');
    assert.deepEqual(find(await intent({ options: ['qr'] }), 'card'), refused);
    const offersOnlyQr = await intent({ options: ['qr'] });
    assert.throws(
      () => findOption(offerOf(config, new Map()), offersOnlyQr, { option: 'card' }),
      /this sale does not/,
    );
    assert.equal(find(await intent({ options: ['qr', 'card'] }), 'card'), 'card');
  });

  it('requires the customer data that the option asks for', async () => {
    const absent = ['customer_data_required', 'customer.phone'];
    assert.deepEqual(find(await intent(), 'asks'), absent);
    assert.deepEqual(find(await intent(), 'asks', { email: 'a@shop.example' }), absent);
    assert.equal(find(await intent(), 'asks', { phone: '+1 555 0100' }), 'asks');
  });
});

describe('offeredOptions', () => {
  it('offers the options that fit the intent, and no other', async () => {
    const offered = async (change: Partial<OrderIntent>): Promise<string[]> =>
      offeredOptions(config, await intent(change)).map(({ id }) => id);
    const all = await offered({});
    assert.deepEqual([all.includes('card'), all.includes('euro')], [true, false]);
    assert.deepEqual(await offered({ options: ['euro', 'card'] }), ['card']);
  });
});

describe('whyNoOption', () => {
  it('says for each option that the token names why it does not take the amount', async () => {
    const why = async (change: Partial<OrderIntent>): Promise<string> =>
      whyNoOption(config, await intent(change));
    assert.equal(
      await why({ options: ['large', 'euro'] }),
      'no option takes 12.50 USD: large takes at least 400; euro takes only EUR',
    );
    assert.equal(
      await why({ options: ['chain'], pay_currency: 'BTC' }),
      'no option takes 12.50 USD: chain is paid only in USDT',
    );
    assert.equal(await why({ options: ['cash'] }), 'no option has the id cash');
    assert.equal(whyNoOption({ options: [] }, await intent()), 'options is empty');
  });
});

/** What `init` writes is accepted, and only what is not known is missing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findings } from '../../../../relay/commands/check-findings.js';
import { answersAsConfig, type Answers } from '../../../../relay/commands/init-config.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';

const written = (answers: Answers) => answersAsConfig(answers);
const found = async (answers: Answers): Promise<string[]> => {
  let count = 0;
  const config = parseConfig(written(answers), () => `secret-${count++}`.padEnd(40, 'x'));
  const all = await findings(config, { isOffline: true });
  return all.filter(({ level }) => level !== 'ok').map(({ path }) => path);
};
const service = 'https://service.example';

describe('the configuration of init', () => {
  for (const [what, answers, paths] of [
    ['the sandbox', {}, []],
    ['every option', { options: ['card', 'crypto', 'qr', 'wallet'] }, []],
    ['a catalogue', { hasCatalogue: true }, []],
    ['a path of a local proxy', { publicUrl: 'http://localhost:8080/pay' }, []],
    ['a public relay', { publicUrl: 'https://pay.shop.example' }, []],
    ['another service', { service, hasCatalogue: true }, ['statuses']],
  ] satisfies [string, Answers, string[]][])
    it(`has these findings of check for ${what}: ${paths.join() || 'none'}`, async () =>
      assert.deepEqual(await found(answers), paths));

  it('has a finding of check for each price that no option takes, with the reason', async () => {
    const config = parseConfig(
      {
        ...written({ hasCatalogue: true, currency: 'USD' }),
        options: [
          { id: 'sbp', label: 'SBP', payment_method: 'on_line', currencies: ['RUB'], max: '9' },
        ],
        open_amount: { RUB: { min: '1', max: '10' } },
      },
      () => 'secret'.padEnd(40, 'x'),
    );
    const all = await findings(config, { isOffline: true });
    const [tee, ...others] = all.filter(({ text }) => text.startsWith('no option takes'));
    assert.equal(tee?.path, 'catalogue.tee');
    assert.match(tee.text, /^no option takes [\d.]+ USD: sbp takes only RUB$/);
    assert.deepEqual(
      others.map(({ path, text }) => [path, text]),
      [['open_amount.RUB.max', 'no option takes 10 RUB: sbp takes at most 9']],
    );
  });

  it('leaves out statuses and codes of another service, which are unknown', () => {
    const { service: own, statuses } = written({ service });
    assert.deepEqual([statuses, own.not_found_codes], [undefined, undefined]);
  });

  it('counts the proxy in front of a path, and none in front of a port', () => {
    const { limits } = written({ publicUrl: 'http://localhost:8080/pay' });
    assert.deepEqual(limits, { trusted_hops: 1 });
    // the relay has no TLS, so somebody before it has
    const { limits: ofTls } = written({ publicUrl: 'https://localhost:8443' });
    assert.deepEqual(ofTls, { trusted_hops: 1 });
    assert.equal(written({}).limits, undefined);
  });

  it('takes an address of this machine without http://, and names any other wrong one', async () => {
    const { service: asked, shop } = written({
      origin: 'localhost:3000',
      service: 'localhost:9000/v2',
    });
    assert.deepEqual(shop.origins, ['http://localhost:3000']);
    assert.equal(asked.base_url, 'http://localhost:9000/v2');
    await assert.rejects(found({ origin: 'shop:3000' }), /shop\.origins.*"shop:3000"/);
  });

  it('sells by prices, without order tokens, with a catalogue', () => {
    const { catalogue, order_token_keys } = written({ hasCatalogue: true, currency: 'EUR' });
    assert.equal(catalogue?.tee?.currency, 'EUR');
    assert.equal(order_token_keys, undefined);
  });

  it('invents no channel of another service', () => {
    assert.throws(
      () => written({ service, options: ['qr'] }),
      /--option qr: expected card, crypto/,
    );
  });
});

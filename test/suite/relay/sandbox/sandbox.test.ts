/** The sandbox is as strict as the order service's document, and its pages change orders. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkCode, noCodeRules, type Charge } from '../../../../relay/qrcode/check-code.js';
import { createSandbox, type Sandbox } from '../../../../relay/sandbox/sandbox.js';
import { checksum } from '../../support/merchant-codes.js';

const base = 'https://service.example';
const make = (): Sandbox => createSandbox({ publicUrl: base, notify: () => Promise.resolve() });
type Answer = { code: unknown; message: string; data?: Record<string, unknown> };
async function ask(
  sandbox: Sandbox,
  operation: string,
  body: unknown,
  type = 'application/json',
): Promise<Answer> {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': type } };
  const answer = await sandbox.fetch(new Request(`${base}/v1/order/${operation}`, init));
  return (await answer.json()) as Answer;
}
const form = (sandbox: Sandbox, path: string, action: string): Promise<Response> =>
  sandbox.fetch(
    new Request(base + path, { method: 'POST', body: new URLSearchParams({ action }) }),
  );

const pay = {
  request_id: 'r1',
  payment_method: 'direct',
  payment_type: 'qrcode',
  payment_channel: 'sbp_qr',
  amount: '12.50',
  currency: 'USD',
  product_name: 'x',
  customer_ref_id: 'c',
};
const payout = {
  request_id: 'p1',
  payout_method: 'bank_transfer',
  account_no: '1',
  account_name: 'Ada L',
  country: 'GB',
  bank_code: 'b',
  settle_currency: 'GBP',
  amount: '1',
  currency: 'GBP',
  phone: '1',
  email: 'e',
};
const withdrawal = {
  request_id: 'w1',
  currency: 'XRP',
  address: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
  amount: '1',
  customer_ref_id: 'c',
};

describe('the sandbox', () => {
  for (const [what, operation, body, field] of [
    ['an unknown field', 'pay', { ...pay, extra: '1' }, 'extra'],
    ['a missing field', 'pay', { ...pay, product_name: undefined }, 'product_name'],
    [
      'direct without its channel',
      'pay',
      { ...pay, payment_channel: undefined },
      'payment_channel',
    ],
    ['a method that is not offered', 'pay', { ...pay, payment_method: 'cash' }, 'payment_method'],
    ['an amount that is a number', 'pay', { ...pay, amount: 12.5 }, 'amount'],
    ['amount 0', 'pay', { ...pay, amount: '0' }, 'amount'],
    ['a customer that is no JSON string', 'pay', { ...pay, customer: '{' }, 'customer'],
    ['a customer with another field', 'pay', { ...pay, customer: '{"age":"1"}' }, 'customer'],
    ['a short account_name', 'payout', { ...payout, account_name: 'Ada' }, 'account_name'],
    [
      'a wallet without its code',
      'payout',
      { ...payout, payout_method: 'wallet_transfer', account_type: 'EMAIL' },
      'wallet_code',
    ],
    [
      'an account_type that is not offered',
      'payout',
      { ...payout, account_type: 'IBAN' },
      'account_type',
    ],
    ['a long remark', 'payout', { ...payout, remark: 'x'.repeat(41) }, 'remark'],
    [
      'a withdrawal without an address',
      'withdraw',
      { ...withdrawal, address: undefined },
      'address',
    ],
  ] as const)
    it(`refuses ${what}, names the field and has no effect`, async () => {
      const sandbox = make();
      const { code, message } = await ask(sandbox, operation, body);
      assert.equal(code, '4000');
      assert.match(message, new RegExp(`^${field}: `));
      assert.equal(sandbox.orders.all().length, 0);
    });

  it('refuses a request of another content type than JSON', async () => {
    const sandbox = make();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      const { code, message } = await ask(sandbox, 'pay', pay, type);
      assert.deepEqual([code, message], ['4000', 'content-type: not JSON']);
    }
    assert.equal(sandbox.orders.all().length, 0);
    const { code } = await ask(sandbox, 'pay', pay, 'application/json; charset=utf-8');
    assert.equal(code, '200');
  });

  for (const [currency, form] of [
    ['USDT_TRC20', /^T[1-9A-HJ-NP-Za-km-z]{33}$/],
    ['USDT.TRON', /^T[1-9A-HJ-NP-Za-km-z]{33}$/],
    ['USDT (TRC20)', /^T[1-9A-HJ-NP-Za-km-z]{33}$/],
    ['USDC_SOL', /^[1-9A-HJ-NP-Za-km-z]{32,44}$/],
    ['USDC-SPL', /^[1-9A-HJ-NP-Za-km-z]{32,44}$/],
    ['USDT_ERC20', /^0x[0-9a-f]{40}$/],
    ['ETH', /^0x[0-9a-f]{40}$/],
    ['usdt_trc20', /^T[1-9A-HJ-NP-Za-km-z]{33}$/],
    ['USDTTRC20', /^T[1-9A-HJ-NP-Za-km-z]{33}$/],
    ['btc', /^bc1[0-9a-z]{39}$/],
    ['BTC_SEGWIT', /^bc1[0-9a-z]{39}$/],
    ['LTC_MWEB', /^L[1-9A-HJ-NP-Za-km-z]{33}$/],
    ['USDC (Stellar)', /^G[A-Z2-7]{55}$/],
    ['SOL_USDC', /^[1-9A-HJ-NP-Za-km-z]{32,44}$/],
  ] as const)
    it(`gives ${currency} an address of its network`, async () => {
      const { data } = await ask(make(), 'deposit_address', { currency, customer_ref_id: 'c' });
      assert.match(String(data?.address), form);
    });

  it('answers a deposit address with a numeric code, and verifies the address', async () => {
    const sandbox = make();
    const { code, data } = await ask(sandbox, 'deposit_address', {
      currency: 'XRP',
      customer_ref_id: 'c',
    });
    assert.equal(code, 200);
    assert.deepEqual(
      (await ask(sandbox, 'deposit_address', { currency: 'XRP', customer_ref_id: 'c' })).data,
      data,
    );
    assert.deepEqual((await ask(sandbox, 'verifyDepositAddress', data)).data, { belongs: true });
    assert.deepEqual(
      (await ask(sandbox, 'verifyDepositAddress', { ...data, address: 'r1' })).data,
      { belongs: false },
    );
    assert.equal((await ask(sandbox, 'pay', pay)).code, '200');
  });

  it('finds pays, payouts and withdrawals by query, and no unknown order', async () => {
    const sandbox = make();
    await ask(sandbox, 'pay', pay);
    await ask(sandbox, 'payout', payout);
    await ask(sandbox, 'withdraw', withdrawal);
    for (const [id, kind] of [
      ['r1', 'pay'],
      ['p1', 'payout'],
      ['w1', 'withdraw'],
    ])
      assert.equal((await ask(sandbox, 'query', { request_id: id })).data?.kind, kind);
    assert.equal((await ask(sandbox, 'query', { request_id: 'nobody' })).code, '4040');
  });

  it('forgets orders, calls and faults at a reset, but no link, address or number', async () => {
    const sandbox = make();
    const control = async (path: string, init?: RequestInit): Promise<unknown> =>
      (await sandbox.fetch(new Request(`${base}/control/${path}`, init))).json();
    const customer = { currency: 'XRP', customer_ref_id: 'c' };
    await control('links', { method: 'POST', body: '{"direct/qrcode/*":"checkout_url"}' });
    const { data: address } = await ask(sandbox, 'deposit_address', customer);
    await ask(sandbox, 'pay', pay);
    sandbox.faults.add({ operation: 'query', fault: 'refusal' });
    sandbox.faults.chaos(1, 1);

    assert.deepEqual(await control('reset', { method: 'POST' }), {});
    assert.deepEqual([await control('orders'), await control('calls')], [[], []]);
    assert.deepEqual(sandbox.faults.active, []);
    assert.equal((await ask(sandbox, 'query', { request_id: 'r1' })).code, '4040');
    const formerPage = await sandbox.fetch(new Request(`${base}/checkout/S00000001`));
    assert.equal(formerPage.status, 404);

    const { data } = await ask(sandbox, 'pay', pay);
    assert.equal(data?.order_no, 'S00000002', 'an order_no is never given twice');
    assert.equal(data?.checkout_url, `${base}/checkout/S00000002`);
    assert.deepEqual((await ask(sandbox, 'verifyDepositAddress', address)).data, {
      belongs: true,
    });
  });

  for (const [path, body, wrong] of [
    ['faults', { fault: 'slwo' }, 'fault'],
    ['faults', { fault: 'slow', operation: 'pya' }, 'operation'],
    ['faults', { fault: 'slow', times: 'abc' }, 'times'],
    ['faults', { fault: 'slow', times: -1 }, 'times'],
    ['faults', { fault: 'slow', delay: 5 }, 'delay'],
    ['faults', { fault: 'unknown_status', value: 'abc' }, 'value'],
    ['chaos', {}, 'rate'],
    ['chaos', { rate: 'all' }, 'rate'],
    ['chaos', { rate: 2 }, 'rate'],
    ['links', { 'direct/wallet/sbp': 'checkout' }, 'direct/wallet/sbp'],
    ['orders/r1', {}, 'action'],
    ['orders/r1', { action: 'confrim' }, 'action'],
    ['orders/r1', { status: '20' }, 'status'],
    ...['faults', 'chaos', 'links', 'orders/r1'].map(
      (path) => [path, '{', 'the body is not a JSON object'] as const,
    ),
  ] as const)
    it(`refuses a control call that is mistyped: ${path} ${JSON.stringify(body)}`, async () => {
      const sandbox = make();
      await ask(sandbox, 'pay', pay);
      const links = await (await sandbox.fetch(new Request(`${base}/control/links`))).text();
      const init = { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) };
      const answer = await sandbox.fetch(new Request(`${base}/control/${path}`, init));
      assert.equal(answer.status, 400);
      const told = (await answer.json()) as { wrong: string };
      assert.ok(told.wrong.startsWith(wrong), told.wrong);
      assert.deepEqual(sandbox.faults.active, []);
      assert.equal((await ask(sandbox, 'query', { request_id: 'r1' })).data?.status, 11);
      const after = await (await sandbox.fetch(new Request(`${base}/control/links`))).text();
      assert.equal(after, links);
    });

  it('answers exactly two links when it has the fault two_links', async () => {
    const sandbox = make();
    for (const payment_type of ['qrcode', 'virtual_account', 'wallet']) {
      sandbox.faults.add({ operation: 'pay', fault: 'two_links' });
      const { data } = await ask(sandbox, 'pay', { ...pay, payment_type, payment_channel: 'sbp' });
      const links = ['qrcode_string', 'checkout_url', 'wallet_url'].filter((link) => data?.[link]);
      assert.equal(links.length, 2, payment_type);
    }
  });

  it('answers each fault of an operation with a code of the operation’s type', async () => {
    const sandbox = make();
    const address = { currency: 'XRP', customer_ref_id: 'c' };
    for (const [operation, body, code] of [
      ['deposit_address', address, /^{"code":\d+,/],
      ['pay', pay, /^{"code":"\d+",/],
    ] as const)
      for (const fault of ['refusal', 'missing_data', 'broken_json', 'cut_mid_body']) {
        sandbox.faults.add({ fault });
        const init = { method: 'POST', body: JSON.stringify(body) };
        const headers = { 'content-type': 'application/json' };
        const request = new Request(`${base}/v1/order/${operation}`, { ...init, headers });
        const reader = (await sandbox.fetch(request)).body?.getReader();
        const { value } = (await reader?.read()) ?? {};
        assert.match(new TextDecoder().decode(value), code, fault);
      }
    sandbox.faults.add({ fault: 'refusal', value: 'SOLD_OUT' });
    assert.equal((await ask(sandbox, 'deposit_address', address)).code, 'SOLD_OUT');
  });

  it('takes the numbers of a fault as text too, as the form of a page sends them', () => {
    const sandbox = make();
    sandbox.faults.add({ fault: 'slow', times: '3', delay_ms: '20', value: 77 });
    const added = { operation: '*', fault: 'slow', times: 3, delay_ms: 20, value: '77' };
    assert.deepEqual(sandbox.faults.active, [added]);
  });

  it('creates a second order for the same request_id unless it deduplicates', async () => {
    const doubling = make();
    const deduplicating = createSandbox({ publicUrl: base, deduplicate: true });
    for (const sandbox of [doubling, deduplicating])
      for (const _ of [1, 2]) await ask(sandbox, 'pay', pay);
    assert.deepEqual([doubling.orders.all().length, deduplicating.orders.all().length], [2, 1]);
  });

  it('refuses a known request_id for another kind of order when it deduplicates', async () => {
    const sandbox = createSandbox({ publicUrl: base, deduplicate: true });
    await ask(sandbox, 'pay', { ...pay, request_id: 'p1' });
    const { code, message } = await ask(sandbox, 'payout', payout);
    assert.equal(code, '4000');
    assert.match(message, /^request_id: /);
    assert.equal((await ask(sandbox, 'pay', { ...pay, request_id: 'p1' })).code, '200');
  });

  it('accepts a payment on its page and redirects; a later form changes nothing', async () => {
    const sandbox = make();
    const { data } = await ask(sandbox, 'pay', {
      ...pay,
      payment_type: 'virtual_account',
      payment_channel: 'b',
      return_url: 'https://shop.example/back',
    });
    const path = new URL(String(data?.checkout_url)).pathname;
    const page = await (await sandbox.fetch(new Request(base + path))).text();
    assert.match(page, /Reference[\s\S]*S00000001/);
    const paid = await form(sandbox, path, 'confirm');
    assert.deepEqual(
      [paid.status, paid.headers.get('location')],
      [303, 'https://shop.example/back'],
    );
    await form(sandbox, path, 'decline');
    await form(sandbox, '/phone/orders/S00000001', 'expire');
    assert.equal(sandbox.orders.byRequest('r1')?.status, 20);
  });

  it('answers a bank’s code for the channels that have such codes in real life', async () => {
    const merchantName = 'Bean & Leaf Specialty Coffee';
    const sandbox = createSandbox({ publicUrl: base, merchantName });
    const codeOf = async (change: object): Promise<string> => {
      const { data } = await ask(sandbox, 'pay', { ...pay, payment_channel: 'pix', ...change });
      return String(data?.qrcode_string);
    };
    const charge = { amount: '12.5', currency: 'USD', payCurrency: 'USD' };
    const code = await codeOf({});
    assert.equal(code.slice(-4), checksum(code.slice(0, -4)));
    const payee = 'BEAN & LEAF SPECIALTY COF';
    const checked = async (change: object, expected: Charge): Promise<void> => {
      const found = checkCode(await codeOf(change), expected, noCodeRules);
      assert.deepEqual(
        { ...found, codeAmount: null },
        { verdict: 'right', payee, codeAmount: null },
      );
    };
    await checked({}, charge);
    await checked({ pay_currency: 'THB' }, { ...charge, payCurrency: 'THB' });
    await checked({ currency: 'USDT' }, { ...charge, currency: 'USDT', payCurrency: 'USDT' });
    const large = '123456789012.50';
    await checked({ amount: large }, { ...charge, amount: large });
    assert.equal((await codeOf({ payment_channel: 'sbp_qr' })).startsWith('https://'), true);
  });

  it('answers a link of SBP with the sum in kopecks for its channel in roubles', async () => {
    const sandbox = make();
    const linkFor = async (change: object): Promise<string> => {
      const roubles = { ...pay, currency: 'RUB', ...change };
      const { data } = await ask(sandbox, 'pay', { ...roubles, request_id: crypto.randomUUID() });
      return String(data?.qrcode_string);
    };
    const required = { check: 'required', payees: [] } as const;
    for (const [amount, sum] of [
      ['12.5', '1250'],
      ['0.07', '7'],
      ['300', '30000'],
    ] as const) {
      const link = await linkFor({ amount });
      assert.match(link, new RegExp(`^https://qr\\.nspk\\.ru/AD\\w{30}\\?.*&sum=${sum}&cur=RUB`));
      const charge = { amount, currency: 'RUB', payCurrency: 'RUB' };
      assert.equal(checkCode(link, charge, required).verdict, 'right');
    }
    const exchanged = await linkFor({ currency: 'USD', pay_currency: 'RUB' });
    assert.match(exchanged, /^https:\/\/qr\.nspk\.ru\/\w{32}\?type=02&bank=\d{12}&crc=0000$/);
  });

  it('answers a wrong code when it has the fault wrong_code', async () => {
    const sandbox = make();
    sandbox.faults.add({ operation: 'pay', fault: 'wrong_code' });
    const { data } = await ask(sandbox, 'pay', pay);
    const charge = { amount: '12.50', currency: 'USD', payCurrency: 'USD' };
    assert.equal(checkCode(String(data?.qrcode_string), charge, noCodeRules).verdict, 'wrong');
  });

  it('reads no body that is longer than any request of a relay', async () => {
    const { calls, fetch } = createSandbox({ publicUrl: 'http://localhost' });
    const body = JSON.stringify({ request_id: 'x'.repeat(300_000) });
    const headers = { 'content-length': String(body.length) };
    for (const sent of [
      { body, headers },
      { body: new Blob([body]).stream(), duplex: 'half' },
    ]) {
      const init = { method: 'POST', ...sent };
      const answer = await fetch(new Request('http://localhost/v1/order/query', init));
      assert.equal(answer.status, 413);
    }
    assert.deepEqual(calls, []);
  });

  it('escapes the texts of a shop in its pages', async () => {
    const sandbox = make();
    await ask(sandbox, 'pay', { ...pay, product_name: '<img src=x onerror=alert(1)>' });
    assert.doesNotMatch(await (await sandbox.fetch(new Request(`${base}/phone`))).text(), /<img/);
  });
});

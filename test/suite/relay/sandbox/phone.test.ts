/** The sandbox's page of the customer's phone shows payments in plain words. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSandbox, type Sandbox } from '../../../../relay/sandbox/sandbox.js';
import { methodWords } from '../../../../relay/sandbox/pages/phone.js';

const base = 'https://service.example';
const make = (): Sandbox =>
  createSandbox({ publicUrl: base, notify: () => Promise.resolve(), merchantName: 'Bean & Leaf' });

let placed = 0;
async function pay(sandbox: Sandbox, change: object = {}): Promise<void> {
  const body = {
    request_id: `r${placed++}`,
    payment_method: 'direct',
    payment_type: 'qrcode',
    payment_channel: 'sbp_qr',
    amount: '2640.00',
    currency: 'RUB',
    product_name: 'Two bags of coffee',
    customer_ref_id: 'c',
    ...change,
  };
  const request = new Request(`${base}/v1/order/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(((await (await sandbox.fetch(request)).json()) as { code: string }).code, '200');
}

/** The visible text of the phone, with single spaces. */
async function phone(sandbox: Sandbox): Promise<string> {
  const page = await (await sandbox.fetch(new Request(`${base}/phone`))).text();
  const body = page.slice(page.indexOf('<main>'), page.indexOf('<script>'));
  return body
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

describe('the customer’s phone', () => {
  it('shows the latest payment first, with shop, amount, method and number', async () => {
    const sandbox = make();
    await pay(sandbox, { product_name: 'A cup', amount: '990.00' });
    await pay(sandbox);
    const text = await phone(sandbox);
    const first = [
      'Your bank Pay Bean & Leaf ₽2,640.00 Two bags of coffee',
      'With SBP, QR code Payment no. S00000002 Confirm payment',
      'Simulate Decline Expire Earlier payments',
    ].join(' ');
    assert.equal(text.slice(0, first.length), first);
    assert.match(text, /Earlier payments ₽990\.00 · Not paid yet A cup .* Simulate Pay this one/);
  });

  it('offers a late payment after a decline or expiry, and nothing after a payment', async () => {
    const sandbox = make();
    for (const action of ['decline', 'expire', 'confirm'] as const) {
      await pay(sandbox);
      const order = sandbox.orders.all().at(-1);
      assert.ok(order);
      sandbox.orders.act(order, action);
    }
    const text = await phone(sandbox);
    assert.doesNotMatch(text, /Pay Bean|Confirm payment/);
    const [, paid = '', expired = '', declined = ''] = text.split('₽2,640.00');
    assert.match(paid, /^ · Paid /);
    assert.doesNotMatch(paid, /Simulate/);
    assert.match(expired, /^ · Expired .*Simulate Pay it late/);
    assert.match(declined, /^ · Declined .*Simulate Pay it late/);
  });

  it('shows the customer no field names or values of the API', async () => {
    const sandbox = make();
    await pay(sandbox);
    await pay(sandbox, { payment_type: 'virtual_account', payment_channel: 'bank_transfer' });
    const text = await phone(sandbox);
    assert.doesNotMatch(text, /created|confirm\b|expire\b|status|_/);
  });

  it('says that there is no payment yet', async () => {
    assert.match(await phone(make()), /No payment yet/);
  });
});

describe('the words for a way to pay', () => {
  for (const [fields, expected] of [
    [{ payment_method: 'on_line' }, 'Payment page'],
    [{ payment_method: 'on_chain', pay_currency: 'USDT' }, 'Crypto, USDT'],
    [{ payment_method: 'on_chain' }, 'Crypto'],
    [
      {
        payment_method: 'direct',
        payment_type: 'virtual_account',
        payment_channel: 'bank_transfer',
      },
      'Bank transfer',
    ],
    [
      { payment_method: 'direct', payment_type: 'qrcode', payment_channel: 'new_thing' },
      'new thing, QR code',
    ],
  ] as const)
    it(`calls a way to pay "${expected}"`, () => assert.equal(methodWords({ fields }), expected));
});

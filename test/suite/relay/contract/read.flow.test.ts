/** The widget's small reader agrees with the contract's schemas on valid and invalid answers. */
import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { z } from 'zod';
import { endpoints } from '../../../../relay/contract/endpoints.js';
import {
  readCheckout,
  readDepositAddress,
  readFailure,
  readOrder,
  readWallets,
} from '../../../../relay/contract/read.js';
import { walletsResponse } from '../../../../relay/contract/responses.js';

const text = fc.string({ maxLength: 12 });
const instant = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const filled = fc.string({ minLength: 1, maxLength: 12 });
const label = fc.oneof(filled, fc.dictionary(fc.constantFrom('en', 'ru'), text));
const nextAction = fc.oneof(
  fc.record({ kind: fc.constant('scan_qr'), qrcode_string: filled }),
  fc.record({ kind: fc.constant('open_page'), checkout_url: filled }),
  fc.record({ kind: fc.constant('open_wallet'), wallet_url: filled }),
  fc.record({ kind: fc.constant('wait') }),
);
const order = fc.record(
  {
    intent_id: text,
    request_id: text,
    order_no: fc.option(text),
    order_key: text,
    option: text,
    amount: text,
    currency: text,
    status: fc.option(fc.integer()),
    outcome: fc.constantFrom(
      'pending',
      'confirming',
      'succeeded',
      'failed',
      'expired',
      'unmapped',
      'review',
    ),
    next_action: fc.option(nextAction),
    open_amount: fc.boolean(),
    late: fc.boolean(),
    other_payable: fc.boolean(),
    closed: fc.boolean(),
    payee: text,
    code_opens: fc.boolean(),
    created_at: instant,
    checked_at: fc.option(instant),
    paid_at: instant,
    expires_at: instant,
    server_time: instant,
  },
  {
    requiredKeys: [
      'intent_id',
      'request_id',
      'order_no',
      'order_key',
      'option',
      'amount',
      'currency',
      'status',
      'outcome',
      'next_action',
      'open_amount',
      'late',
      'other_payable',
      'closed',
      'created_at',
      'checked_at',
      'server_time',
    ],
  },
);
const option = fc.record(
  {
    id: text,
    label,
    payment_method: text,
    payment_type: text,
    payment_channel: text,
    customer: fc.array(fc.constantFrom('email', 'phone', 'name')),
    icon_url: text,
    phone_action: fc.constantFrom('open', 'copy', 'save'),
    words: fc.record({ copy_code: label, scan: label }, { requiredKeys: [] }),
    wallets: fc.boolean(),
  },
  { requiredKeys: ['id', 'label', 'payment_method'] },
);
const checkout = fc.record(
  {
    contract: fc.constant(1),
    checkout: fc.record(
      {
        amount: text,
        currency: text,
        product_name: text,
        remark: text,
        options: fc.array(option, { maxLength: 3 }),
        livemode: fc.boolean(),
        shop_name: text,
        support_url: text,
        logo_url: text,
        image_hosts: fc.array(text),
        return_url: text,
        order_option: option,
        link_schemes: fc.array(text),
      },
      {
        requiredKeys: [
          'amount',
          'currency',
          'product_name',
          'options',
          'livemode',
          'shop_name',
          'link_schemes',
        ],
      },
    ),
    order,
  },
  { requiredKeys: ['contract', 'checkout'] },
);
const deposit = fc.record({
  deposit_address: fc.record(
    {
      currency: text,
      address: text,
      tag: text,
      label,
      network: text,
      tag_label: label,
      uri: text,
      minimum: text,
    },
    { requiredKeys: ['currency', 'address', 'tag'] },
  ),
});

const wallets = fc.record({
  wallets: fc.array(
    fc.record(
      { name: text, icon_url: text, https: text, scheme: text, android_package: text },
      { requiredKeys: ['name'] },
    ),
    { minLength: 1, maxLength: 3 },
  ),
});

type Tree = Record<string, unknown>;

/** Swaps or drops one value somewhere in the tree. */
function broken(value: unknown, path: number[], junk: unknown): unknown {
  if (typeof value !== 'object' || value === null) return junk;
  const copy = structuredClone(value) as Tree;
  let at: Tree = copy;
  for (const step of path) {
    const keys = Object.keys(at);
    const key = keys[step % Math.max(keys.length, 1)];
    if (key === undefined) break;
    const inner = at[key];
    if (typeof inner === 'object' && inner !== null && step % 3 !== 0) at = inner as Tree;
    else {
      if (junk === undefined) delete at[key];
      else at[key] = junk;
      break;
    }
  }
  return copy;
}

const junk = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  fc.integer(),
  fc.boolean(),
  text,
  fc.constant([]),
  fc.constant({}),
  fc.double(),
  fc.constant('wait'),
);

function agrees(
  arbitrary: fc.Arbitrary<unknown>,
  schema: z.ZodType,
  read: (value: unknown) => unknown,
): void {
  let valid = 0;
  let invalid = 0;
  const check = (value: unknown): void => {
    const parsed = schema.safeParse(value);
    let result: { ok: boolean; value?: unknown };
    try {
      result = { ok: true, value: read(value) };
    } catch {
      result = { ok: false };
    }
    if (parsed.success) valid++;
    else invalid++;
    expect(result.ok, JSON.stringify([value, parsed.error?.issues])).to.equal(parsed.success);
  };
  fc.assert(fc.property(arbitrary, check), { numRuns: 300 });
  fc.assert(
    fc.property(
      arbitrary,
      fc.array(fc.nat(60), { minLength: 1, maxLength: 5 }),
      junk,
      (value, path, swap) => check(JSON.parse(JSON.stringify(broken(value, path, swap)) ?? 'null')),
    ),
    { numRuns: 1500 },
  );
  expect(valid).to.be.above(300);
  expect(invalid).to.be.above(200);
}

describe('the reader of the widget', () => {
  it('reads a checkout exactly when the schema accepts it', () =>
    agrees(checkout, endpoints.checkout.response, readCheckout));
  it('reads an order exactly when the schema accepts it', () =>
    agrees(fc.record({ order }), endpoints.pay.response, readOrder));
  it('reads a deposit address exactly when the schema accepts it', () =>
    agrees(deposit, endpoints.depositAddress.response, readDepositAddress));
  it('reads a list of wallets exactly when the schema accepts it', () =>
    agrees(wallets, walletsResponse, readWallets));
  it('reads no field that an answer inherits from Object.prototype', () => {
    const inherited = { uri: 'javascript:alert(1)', network: 'evil', outcome: 'succeeded' };
    const polluted: Record<string, unknown> = Object.prototype as never;
    Object.assign(polluted, inherited);
    try {
      const { uri, network } = readDepositAddress({
        deposit_address: { currency: 'BTC', address: 'a', tag: '' },
      });
      expect([uri, network]).to.deep.equal([undefined, undefined]);
      const failure = readFailure({ error: { code: 'internal', message: 'm', reference: 'r' } });
      expect(failure?.outcome).to.equal(undefined);
      expect(() => readOrder({ order: {} })).to.throw();
    } finally {
      for (const name of Object.keys(inherited)) delete polluted[name];
    }
  });
  it('reads a failure without its wrong optional fields, and nothing else as a failure', () => {
    const error = { code: 'internal', message: 'm', reference: 'r' };
    const optional = {
      field: 'amount',
      outcome: 'pending',
      notice: { en: 'Not today' },
      support_url: 'https://shop.example',
    };
    expect(readFailure({ error: { ...error, ...optional } })).to.deep.equal({
      ...error,
      ...optional,
    });
    const wrong = { field: 1, outcome: 'constructor', notice: { en: 1 }, support_url: null };
    expect(
      JSON.parse(JSON.stringify(readFailure({ error: { ...error, ...wrong } }))),
    ).to.deep.equal(error);
    for (const other of [null, 'text', [], {}, { error: null }, { error: { ...error, code: 1 } }])
      expect(readFailure(other), JSON.stringify(other)).to.equal(null);
  });
  it('reads every field of a correct answer', () => {
    // an absent field is read as undefined
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    const check = (value: unknown): void =>
      void expect(plain(readCheckout(value))).to.deep.equal(
        plain(endpoints.checkout.response.parse(value)),
      );
    fc.assert(fc.property(checkout, check), { numRuns: 200 });
  });
});

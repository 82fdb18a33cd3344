/** The rows of an intent and of an order when they are first written. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PaymentOptionConfig } from '../../../../relay/config/payment-options.js';
import type { Trace } from '../../../../relay/contract/trace.js';
import { contentDigest } from '../../../../relay/intent/order-intent.js';
import { readIntent } from '../../../../relay/intent/read-intent.js';
import { unknownIntent } from '../../../../relay/ledger/rows.js';
import { newIntent, newOrder, type IdentifiedIntent } from '../../../../relay/orders/new-order.js';
import { openIntent } from '../../support/world.js';
import { claims, config, sign } from '../intent/signed-token.js';

const NOW = 1_800_000_000_000;
const identified = async (request: object): Promise<IdentifiedIntent> => ({
  ...(await readIntent(config, request, 'web.one')),
  intent_id: 'web.one',
});

describe('newIntent', () => {
  it('stores the terms of a token, and none of its other claims', async () => {
    const metadata = { table: '4' };
    const order_token = await sign({ ...claims, metadata });
    const intent = await identified({ order_token });
    assert.deepEqual(await newIntent(intent, NOW, null), {
      intent_id: 'web.one',
      mode: 'token',
      content: await contentDigest(intent),
      amount: '12.50',
      currency: 'USD',
      product_name: 'A tree',
      customer_ref_id: 'c1',
      pay_currency: null,
      remark: null,
      return_url: null,
      sku: null,
      quantity: null,
      metadata: '{"table":"4"}',
      created_at: NOW,
      unpaid_due_at: null,
      current_request_id: null,
      paid_request_id: null,
      event_count: 0,
      closed_at: null,
      close_reason: null,
      closed_by: null,
      erased_at: null,
      erased_by: null,
    });
  });

  it('stores when an unpaid intent is reported', async () => {
    const row = newIntent(await identified(openIntent), NOW, NOW + 60_000);
    assert.deepEqual([row.unpaid_due_at, row.metadata], [NOW + 60_000, null]);
  });
});

describe('unknownIntent', () => {
  it('builds a row that equals no token’s content and is never reported as unpaid', async () => {
    const { content, unpaid_due_at, ...row } = unknownIntent('jti-two-2', NOW);
    assert.deepEqual([content, unpaid_due_at, row.closed_at], ['', null, null]);
    assert.deepEqual(
      [row.intent_id, row.mode, row.amount, row.currency, row.product_name, row.customer_ref_id],
      ['jti-two-2', 'token', '', '', '', ''],
    );
  });
});

describe('newOrder', () => {
  const option = config.options.find(({ id }) => id === 'card')!;
  const place = { request_id: 'r1', ordinal: 2, created_at: NOW, aged_from: NOW - 1 };
  const row = async (
    change: { customer?: object; option?: Partial<PaymentOptionConfig>; trace?: Trace } = {},
    request: object = openIntent,
  ): Promise<ReturnType<typeof newOrder>> =>
    newOrder(
      await identified(request),
      { ...change, option: { ...option, ...change.option } },
      place,
    );

  it('builds the claim of a new order at the present price', async () => {
    const { aged_from, amount, created_at, currency, next_check_at, ordinal } = await row();
    assert.deepEqual(
      [aged_from, amount, created_at, currency, next_check_at, ordinal],
      [NOW - 1, '12.50', NOW, 'USD', null, 2],
    );
    const { option, sending } = await row();
    assert.deepEqual([option, sending], ['card', 'claimed']);
  });

  it('keeps the trace of the pay, where it has one', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const trace = { traceparent, traceId: 'a'.repeat(32) };
    assert.equal((await row({ trace })).traceparent, traceparent);
    assert.equal((await row()).traceparent, null);
  });

  it('records whether the page chose the amount', async () => {
    assert.equal((await row()).open_amount, true);
    assert.equal((await row({}, { sku: 'tee' })).open_amount, false);
  });

  it('records whether a pay has customer data, so that such a pay is never resent', async () => {
    assert.equal((await row()).had_customer, false);
    assert.equal((await row({ customer: {} })).had_customer, false);
    assert.equal((await row({ customer: { phone: '+1 555 0100' } })).had_customer, true);
  });

  it('stores the currency that the customer pays in, by the option before the intent', async () => {
    const paysIn = async (pay_currency: string | null, ofOption?: string): Promise<unknown> => {
      const intent = { ...(await identified(openIntent)), pay_currency };
      const chosen = ofOption === undefined ? option : { ...option, pay_currency: ofOption };
      return newOrder(intent, { option: chosen }, place).pay_currency;
    };
    assert.equal(await paysIn(null), 'USD');
    assert.equal(await paysIn('BTC'), 'BTC');
    assert.equal(await paysIn(null, 'USDT'), 'USDT');
    assert.equal(await paysIn('BTC', 'USDT'), 'USDT');
  });

  it('gives an order an expiry only when its option configures one', async () => {
    assert.equal((await row()).expires_at, null);
    const { expires_at } = await row({ option: { expires_after_s: 900 } });
    assert.equal(expires_at, NOW + 900_000);
  });
});

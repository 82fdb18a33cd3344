/** Reading an answer of the order service when HTTP, envelope and fields disagree. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOrderService, OrderServiceError } from '../../../../relay/order-service/index.js';
import type {
  DataOf,
  QueriedOrder,
  RequestOf,
} from '../../../../relay/order-service/operations.js';
import { createCircuitBreaker } from '../../../../relay/order-service/circuit-breaker.js';
import { systemClock } from '../../../../relay/runtime.js';

const answering = (status: number, text: string) =>
  createOrderService({ send: async () => ({ status, text }) });
const query = (status: number, body: unknown): Promise<QueriedOrder> =>
  answering(status, typeof body === 'string' ? body : JSON.stringify(body)).queryOrder({
    request_id: 'r1',
  });
const pay = (
  payment_method: RequestOf<'pay'>['payment_method'],
  data?: unknown,
): Promise<DataOf<'pay'>> =>
  answering(200, JSON.stringify({ code: 200, data })).pay({
    request_id: 'r1',
    payment_method,
    payment_type: 'qrcode',
    payment_channel: 'bank',
    amount: '1',
    currency: 'USD',
    product_name: 'A tree',
    customer_ref_id: 'c-1',
  });
const kindOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof OrderServiceError ? error.kind : String(error)),
  );
const data = { status: 20 };

describe('an answer', () => {
  for (const [status, code, kind] of [
    [200, 200, 'answered'],
    [201, '200', 'answered'],
    [500, '200', 'unreadable'],
    [502, 200, 'unreadable'],
    [403, '200', 'unreadable'],
    [302, 200, 'unreadable'],
    [200, '4000', 'refused'],
    [422, '4000', 'refused'],
    [503, '4000', 'unreadable'],
    [408, '4000', 'unreadable'],
  ] as const)
    it(`reads HTTP ${status} with the code ${JSON.stringify(code)} as ${kind}`, async () =>
      assert.equal(await kindOf(query(status, { code, data })), kind));

  it('says that a refusal came in the documented envelope', async () => {
    const refused: unknown = await query(422, { code: '4000' }).catch((thrown: unknown) => thrown);
    assert.ok(refused instanceof OrderServiceError);
    assert.equal(refused.enveloped, true);
  });

  it('reads an order_no that is a text or a number, however long it is', async () => {
    const orderNo = async (order_no: unknown): Promise<unknown> =>
      (await query(200, { code: 200, data: { ...data, order_no } })).order_no;
    assert.equal(await orderNo('P'.repeat(65)), 'P'.repeat(65));
    assert.equal(await orderNo(42), '42');
    assert.equal(await orderNo({ number: 1 }), undefined);
    assert.equal(await orderNo(null), undefined);
  });

  for (const field of ['qrcode_string', 'checkout_url', 'wallet_url'])
    it(`is unreadable when its ${field} is not UTF-8`, async () => {
      const withLink = (link: string): Promise<unknown> =>
        pay('on_line', { ...data, [field]: link });
      assert.equal(await kindOf(withLink('https://bank.example/é')), 'answered');
      assert.equal(await kindOf(withLink('https://bank.example/\uFFFD')), 'unreadable');
    });

  it('reads an echo as “(unreadable)” when it is neither a text nor a number', async () => {
    const echoes = { request_id: { id: 'r1' }, currency: ['USD'], order_amount: true };
    const answer = await query(200, { code: 200, data: { ...data, ...echoes } });
    for (const name of ['request_id', 'currency', 'order_amount'] as const)
      assert.equal(answer[name], '(unreadable)');
  });
});

describe('an answer to pay', () => {
  const link = 'https://pay.example/1';

  it('has each field that the document lists, with all its characters', async () => {
    const documented = {
      request_id: 'r'.repeat(70),
      partner_id: 'partner-1',
      order_no: 'P'.repeat(70),
      currency: 'USD',
      order_amount: '12.50',
      status: 11,
      payment_method: 'direct',
      qrcode_string: 'code',
    };
    assert.deepEqual(await pay('direct', documented), documented);
  });

  it('keeps its link when it has no status', async () => {
    for (const method of ['on_line', 'on_chain', 'direct'] as const)
      for (const status of [undefined, null]) {
        const answer = await pay(method, { checkout_url: link, status });
        assert.deepEqual([answer.checkout_url, answer.status], [link, undefined]);
      }
  });

  it('may lack its data where the document does not show it', async () => {
    for (const nothing of [undefined, null]) {
      assert.equal((await pay('on_line', nothing)).checkout_url, undefined);
      assert.equal(await kindOf(pay('on_chain', nothing)), 'answered');
      assert.equal(await kindOf(pay('direct', nothing)), 'unreadable');
    }
  });

  it('is named by its wrong field and its HTTP status when it is unreadable', async () => {
    const wrong = async (work: Promise<unknown>): Promise<unknown> => {
      const error: unknown = await work.catch((thrown: unknown) => thrown);
      return error instanceof OrderServiceError
        ? [error.kind, error.field, error.httpStatus]
        : error;
    };
    assert.deepEqual(await wrong(pay('direct')), ['unreadable', 'data', 200]);
    const text = pay('on_line', { status: 'paid', checkout_url: link });
    assert.deepEqual(await wrong(text), ['unreadable', 'data.status', 200]);
    assert.deepEqual(await wrong(pay('on_line', 'ok')), ['unreadable', 'data', 200]);
  });
});

describe('an answer whose body the document does not show', () => {
  const passedOn = (body: string): readonly Promise<unknown>[] => {
    const service = answering(200, `{"code":200${body}}`);
    const payout = {
      request_id: 'p1',
      payout_method: 'bank_transfer',
      account_no: '1',
      account_name: 'Ada Lovelace',
      country: 'GB',
      bank_code: 'B',
      settle_currency: 'GBP',
      amount: '5',
      currency: 'GBP',
      phone: '1',
      email: 'a@b.example',
    } as const;
    const toAddress = { currency: 'XRP', address: 'r' };
    return [
      service.query({ request_id: 'p1' }),
      service.payout(payout),
      service.withdraw({ ...toAddress, request_id: 'w', amount: '1', customer_ref_id: 'c' }),
      service.verifyDepositAddress(toAddress),
    ];
  };

  for (const [body, data] of [
    ['', undefined],
    [',"data":null', null],
    [',"data":"W-1"', 'W-1'],
    [',"data":[true]', [true]],
    [',"data":9007199254740993', '9007199254740993'],
    [',"data":{"status":"COMPLETED","txid":"0x1"}', { status: 'COMPLETED', txid: '0x1' }],
    [
      ',"data":{"withdraw_id":9007199254740993,"fee":0.5,"legs":[{"id":1e21,"note":"1e21"}]}',
      { withdraw_id: '9007199254740993', fee: 0.5, legs: [{ id: '1e21', note: '1e21' }] },
    ],
  ] as const)
    it(`is an acceptance with all digits: ${body || 'no data'}`, async () => {
      for (const answer of passedOn(body)) assert.deepEqual(await answer, data);
    });
});

it('reads the status of an order from a query only when it is an integer', async () => {
  for (const status of ['COMPLETED', 1.5, null, undefined, { code: 20 }])
    assert.equal(await kindOf(query(200, { code: 200, data: { status } })), 'unreadable');
  for (const data of [undefined, null, 'ok', [{ status: 20 }]])
    assert.equal(await kindOf(query(200, { code: 200, data })), 'unreadable');
});

describe('a number in an answer', () => {
  const echoOf = async (number: string): Promise<unknown> =>
    (await query(200, `{"code":200,"data":{"status":20,"order_amount":${number}}}`)).order_amount;

  for (const digits of [
    '12.50000000000000000001',
    '99999999999999999.5',
    '9007199254740993',
    '0.1000000000000000055',
    '0.0000001',
    '1e400',
    '1.0000000000000000001e2',
  ])
    it(`keeps the digits of ${digits}, which a double would change`, async () =>
      assert.equal(await echoOf(digits), digits));

  for (const [number, text] of [
    ['12.50', '12.5'],
    ['1e2', '100'],
    ['123456789.123456', '123456789.123456'],
    ['-0', '0'],
  ] as const)
    it(`reads ${number} as ${text}, which is the same amount`, async () =>
      assert.equal(await echoOf(number), text));

  for (const grammar of ['0012', '00000000000000000012', '+1', '.5', '1.', '0x10', '1_000', 'NaN'])
    it(`makes the answer unreadable when it is written ${grammar}`, async () =>
      assert.equal(await kindOf(echoOf(grammar)), 'unreadable'));

  it('leaves digits inside texts and names alone', async () => {
    for (const text of ['12345678901234567890', 'a"b 12345678901234567890', '\\', '"1e99"']) {
      const answer = { code: 200, data: { status: 20, '12345678901234567890': 1, currency: text } };
      assert.equal((await query(200, answer)).currency, text);
    }
  });

  for (const answer of [
    '{"code":1e21,"data":{"status":20}}',
    '{"code":200,"message":1e308,"data":{"status":20}}',
  ])
    it(`is no text in a place that takes no number: ${answer}`, async () =>
      assert.equal(await kindOf(query(200, answer)), 'unreadable'));

  it('is read as a status, and as an order_no with all its digits', async () => {
    const answer = '{"code":200,"data":{"status":-20,"order_no":12345678901234567890}}';
    const { order_no, status } = await query(200, answer);
    assert.deepEqual([status, order_no], [-20, '12345678901234567890']);
  });
});

describe('the circuit breaker', () => {
  const opened = async (status: number, body: string): Promise<boolean> => {
    const breaker = createCircuitBreaker(answering(status, body), {
      clock: systemClock,
      maxConcurrent: 10,
    });
    for (let count = 0; count < 8; count++)
      await breaker.service.query({ request_id: 'r1' }).catch(() => {});
    return breaker.isOpen();
  };
  for (const [status, body, open] of [
    [403, '<h1>Forbidden</h1>', false],
    [429, '', false],
    [302, '', false],
    [200, '<h1>Welcome</h1>', false],
    [403, '{"code":200,"data":{"status":20}}', false],
    [400, '{"code":"4000"}', false],
    [500, '<h1>Oops</h1>', true],
    [502, '{"code":"200","data":{"status":20}}', true],
  ] as const)
    it(`${open ? 'opens' : 'stays closed'} after HTTP ${status}: ${body || 'no body'}`, async () =>
      assert.equal(await opened(status, body), open));
});

/** Any page can make the relay store an intent with its orders: their size is bounded. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { MAX_LINK_CHARACTERS } from '../../../../relay/contract/paths.js';
import { writeBody } from '../../../../relay/ledger/body.js';
import type { Intent } from '../../../../relay/ledger/intent.js';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { asNew, claiming, recorded } from '../../../../relay/ledger/rules.js';
import { createSandbox, type Sandbox } from '../../../../relay/sandbox/sandbox.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import { createWorld, openIntent } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const MAX_BYTES = 2560;
/** The total of a page's texts, limited by relay/intent/read-intent.ts. */
const PAGE_BYTES = 1000;

/** An amount has at most 18 digits before and after the point. */
const MAX_AMOUNT = `${'9'.repeat(18)}.${'9'.repeat(18)}`;
const CODE = 'A'.repeat(24);
/** The relay does not store a longer order_no. */
const ORDER_NO = '9'.repeat(64);

/** The bound of relay/contract/metadata.ts. */
const MAX_METADATA_BYTES = 2048;
const NOW = 1_800_000_000_000;
const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

const folder = temporaryFolder('row-size');

/** Columns that hold the order service's links, not a page's texts. */
const NOT_COUNTED = ['next_action'];

/** Bytes of all the values of one table's rows. */
function bytesOf(database: InstanceType<typeof DatabaseSync>, table: string): number {
  const columns = database.prepare(`select name from pragma_table_info('${table}')`).all() as {
    name: string;
  }[];
  const lengths = columns
    .filter(({ name }) => !NOT_COUNTED.includes(name))
    .map(({ name }) => `coalesce(length(cast("${name}" as blob)), 0)`);
  const [row] = database
    .prepare(`select sum(${lengths.join(' + ')}) as bytes, count(*) as rows from ${table}`)
    .all() as { bytes: number; rows: number }[];
  assert.equal(row?.rows, 1, table);
  return row?.bytes ?? 0;
}

/** A service with the longest answers that the relay stores. */
function verboseService(): Sandbox {
  const sandbox = createSandbox({ publicUrl: 'https://service.example' });
  const answer = async (request: Request): Promise<Response> => {
    const { request_id } = (await request.json()) as { request_id: string };
    const checkout_url = 'https://service.example/checkout';
    const echo = { request_id, order_amount: MAX_AMOUNT, currency: CODE };
    const data = { ...echo, order_no: ORDER_NO, status: 11, checkout_url };
    return Response.json({ code: '200', message: 'ok', data });
  };
  return { ...sandbox, fetch: answer };
}

/** As the reports of the service may make it in days: each order pays by the longest link. */
function intentWithOrders(count: number): Intent {
  let intent = asNew({ ...freshIntent, metadata: 'm'.repeat(MAX_METADATA_BYTES) });
  const checkout_url = `https://service.example/${'c'.repeat(MAX_LINK_CHARACTERS - 24)}`;
  for (let ordinal = 1; ordinal <= count; ordinal++) {
    const request_id = `${'r'.repeat(62)}${ordinal}`;
    const order: OrderRow = { ...fresh, request_id, ordinal, traceparent: TRACEPARENT };
    const claim = { intent, order, after: intent.current_request_id };
    intent = claiming(claim, NOW)(intent, '')?.intent ?? intent;
    for (let version = 2; version <= 80; version++) {
      const answered: OrderRow = {
        ...order,
        order_no: ORDER_NO,
        sending: 'answered',
        // each answer says another thing, and the last one that the order waits
        outcome: version % 2 === 0 ? 'pending' : 'unmapped',
        next_action: { kind: 'open_page', checkout_url },
        expires_at: NOW,
        version,
      };
      intent = recorded(intent, answered, { at: NOW, status: version });
    }
  }
  return intent;
}

describe('an intent with as many orders as it may have', () => {
  it('is stored in less than 64 KiB when each order had the longest link and history', () => {
    const intent = intentWithOrders(20);
    assert.equal(intent.orders.length, 20);
    const bytes = Buffer.byteLength(writeBody(intent));
    assert.ok(bytes < 64 * 1024, `${bytes} bytes`);
    assert.equal(intent.orders.at(-1)?.next_action?.kind, 'open_page');
  });
});

describe('the largest intent that a page can open', () => {
  it('stores at most 2.5 KB for the largest intent and order, and for the event', async () => {
    const file = join(folder, 'ledger.db');
    const ledger = await openLedger(`sqlite:${file}`);
    const open_amount = { [CODE]: { min: '1', max: MAX_AMOUNT } };
    const shop_events = { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } };
    const world = createWorld({
      ledger,
      config: { open_amount, shop_events },
      sandbox: verboseService(),
      // the shop accepts no event, so that the row of the event stays
      shopFetch: async () => new Response('', { status: 500 }),
    });
    const texts = {
      product_name: 'ж'.repeat(200),
      customer_ref_id: 'c'.repeat(64),
      return_url: `https://shop.example/${'r'.repeat(179)}`,
      remark: 'm'.repeat(336),
    };
    assert.equal(Buffer.byteLength(Object.values(texts).join('')), PAGE_BYTES);
    const body = {
      ...openIntent,
      ...texts,
      amount: MAX_AMOUNT,
      currency: CODE,
      pay_currency: CODE,
      attempt: crypto.randomUUID(),
      option: 'card',
    };
    const larger = await world.ask('/v1/pay', { ...body, remark: `${texts.remark}m` });
    assert.equal(larger.status, 400, 'one byte more is refused');
    const largest = await world.ask('/v1/pay', body, { traceparent: TRACEPARENT });
    assert.equal(largest.status, 200, JSON.stringify(largest.body));

    const database = new DatabaseSync(file);
    const sum = bytesOf(database, 'intents') + bytesOf(database, 'requests');
    const event = bytesOf(database, 'events');
    database.close();
    await world.relay.close();
    await ledger.close();
    assert.ok(sum <= MAX_BYTES, `${sum} bytes`);
    assert.ok(sum > PAGE_BYTES, 'the texts are counted');
    assert.ok(event <= MAX_BYTES, `${event} bytes of an event`);
    assert.ok(event > Buffer.byteLength(texts.product_name), 'the event is counted');
  });
});

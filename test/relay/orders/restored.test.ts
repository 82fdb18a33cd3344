/** The relay queries and adopts lost orders after its ledger was restored from a backup. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../../relay/contract/failure.js';
import type { Claim } from '../../../relay/ledger/ledger.js';
import type { OrderRow } from '../../../relay/ledger/rows.js';
import { createRestored, RESTORED_AT, type Restored } from '../../../relay/orders/restored.js';
import { fresh, freshIntent } from './fresh-order.js';
import { createParts, refusing, unanswered, type Parts } from './parts.js';

type RestoredParts = Parts & {
  restored: Restored;
  /** The status of each order that the service knows. */
  known: Map<string, number>;
  /** The request_id of an order of intent `i1`. */
  idOf(ordinal: number): Promise<string>;
};
const DAY_MS = 86_400_000;

/** @param agoMs time since the restore of the ledger; null when it was never restored */
async function createRestoredParts(agoMs: number | null = 0): Promise<RestoredParts> {
  const parts = await createParts();
  if (agoMs !== null)
    await parts.context.ledger.writeSetting(RESTORED_AT, String(parts.clock.now() - agoMs));
  const known = new Map<string, number>();
  parts.service.query = async ({ request_id }) => {
    const status = known.get(request_id);
    return status === undefined ? refusing('4040')() : { status, request_id };
  };
  return {
    ...parts,
    known,
    restored: createRestored(parts.context, parts.store),
    idOf: (ordinal) => parts.context.identity.requestId('open', 'i1', ordinal),
  };
}
const claimOf = (order: Partial<OrderRow> = {}): Claim => ({
  intent: freshIntent,
  order: { ...fresh, ...order },
  after: null,
});
const codeOf = (error: unknown): unknown => {
  assert.ok(error instanceof Failure);
  return error.code;
};

describe('a ledger that was never restored, or was restored a day ago', () => {
  for (const [age, agoMs] of [
    ['unknown', null],
    ['a day old', DAY_MS],
  ] as const)
    it(`queries nothing when the restore is ${age}`, async () => {
      const { queried, restored, add } = await createRestoredParts(agoMs);
      assert.equal(await restored.adopt(claimOf({ request_id: 'r9' })), null);
      const order = await add({ sending: 'unsent' });
      assert.equal(await restored.adoptUnsent(order), null);
      assert.equal(await restored.adoptSuccessors('i1'), false);
      await restored.adoptBeforeShown('i1');
      await restored.refuseLost('r9');
      await restored.refuseLostIntent('i9');
      assert.deepEqual(queried, []);
    });

  it('queries during one day after the restore, once it has read the restore time', async () => {
    const { queried, restored } = await createRestoredParts(DAY_MS - 1);
    await restored.refuseLost('r9');
    assert.deepEqual(queried, ['r9']);
    const later = await createRestoredParts(null);
    await later.restored.refuseLost('r9');
    await later.context.ledger.writeSetting(RESTORED_AT, String(later.clock.now()));
    await later.restored.refuseLost('r9');
    assert.deepEqual(later.queried, []);
    await later.restored.refresh();
    await later.restored.refuseLost('r9');
    assert.deepEqual(later.queried, ['r9']);
  });
});

describe('an order that a restored ledger lacks', () => {
  it('adopts a missing order as lost when the service knows it', async () => {
    const { clock, context, known, restored } = await createRestoredParts();
    known.set('r1', 11);
    const order = await restored.adopt(claimOf());
    assert.deepEqual(await context.ledger.order('r1'), order);
    assert.deepEqual(
      [order?.sending, order?.outcome, order?.had_customer, order?.lost_at, order?.next_action],
      ['lost', 'confirming', true, clock.now(), { kind: 'wait' }],
    );
  });

  it('lets a pay be sent when the service knows no order and no replacement', async () => {
    const { context, idOf, queried, restored } = await createRestoredParts();
    assert.equal(await restored.adopt(claimOf()), null);
    const replacements = await Promise.all([2, 3, 4, 5].map(idOf));
    assert.deepEqual(queried.sort(), ['r1', ...replacements].sort());
    assert.equal(await context.ledger.intent('i1'), null);
  });

  it('adopts an order with its replacements, and makes the last the current one', async () => {
    const { context, idOf, known, restored } = await createRestoredParts();
    const [second, fourth] = [await idOf(2), await idOf(4)];
    for (const id of ['r1', second, fourth]) known.set(id, 30);
    assert.equal((await restored.adopt(claimOf()))?.request_id, 'r1');
    const orders = await context.ledger.ordersOf('i1');
    assert.deepEqual(
      orders.map(({ late, ordinal, request_id }) => [request_id, ordinal, late]),
      [
        ['r1', 1, false],
        [second, 2, false],
        [fourth, 4, false],
      ],
    );
    assert.equal((await context.ledger.intent('i1'))?.current_request_id, fourth);
  });

  it('applies to an adopted order its own answer, and not its replacement’s', async () => {
    const { idOf, known, restored, service } = await createRestoredParts();
    const second = await idOf(2);
    known.set('r1', 11).set(second, 11);
    const query = service.query;
    service.query = async (request) => ({
      ...(await query(request)),
      order_no: `of ${request.request_id}`,
      currency: 'USD',
      order_amount: '12.50',
    });
    assert.equal((await restored.adopt(claimOf()))?.order_no, 'of r1');
  });

  it('returns another relay’s order when that relay has claimed since', async () => {
    const { add, known, restored } = await createRestoredParts();
    const other = await add({ request_id: 'r-other' });
    known.set('r1', 20);
    assert.deepEqual(await restored.adopt(claimOf()), other);
  });

  it('refuses to place an order while the service gives no usable answer', async () => {
    const { restored, service } = await createRestoredParts();
    for (const answer of [unanswered, refusing('500')]) {
      service.query = answer;
      assert.equal(await restored.adopt(claimOf()).catch(codeOf), 'service_unavailable');
    }
    service.query = async () => {
      throw new TypeError('a fault');
    };
    await assert.rejects(restored.adopt(claimOf()), TypeError);
  });

  it('refuses to call an order unknown when the service knows it', async () => {
    const { known, lines, restored } = await createRestoredParts();
    known.set('r1', 11);
    assert.equal(await restored.refuseLost('r1').catch(codeOf), 'service_unavailable');
    const message = 'the ledger was restored and lacks an order that the order service knows';
    assert.deepEqual(lines, [['error', 'restored', { request_id: 'r1', message }]]);
    await restored.refuseLost('r2');
  });

  it('queries lost orders under each mode and ordinal that the intent may have had', async () => {
    for (const [intentId, modes] of [
      ['jti-one-1', ['token']],
      ['web.one', ['catalogue', 'open']],
    ] as const) {
      const { context, queried, restored } = await createRestoredParts();
      await restored.refuseLostIntent(intentId);
      const ids = modes.flatMap((mode) =>
        [1, 2, 3, 4, 5].map((ordinal) => context.identity.requestId(mode, intentId, ordinal)),
      );
      assert.deepEqual(queried, await Promise.all(ids));
    }
  });
});

describe('an order that was unsent in the backup', () => {
  it('adopts an unsent order when the service knows it, and else leaves it unsent', async () => {
    const { add, context, known, restored } = await createRestoredParts();
    const unsent = await add({ sending: 'unsent' });
    assert.equal(await restored.adoptUnsent(unsent), null);
    assert.equal((await context.ledger.order('r1'))?.sending, 'unsent');
    known.set('r1', 11);
    assert.equal((await restored.adoptUnsent(unsent))?.sending, 'lost');
  });

  it('leaves an unsent order to another relay that has claimed it since', async () => {
    const { add, context, known, restored } = await createRestoredParts();
    const unsent = await add({ sending: 'unsent' });
    const claimed: OrderRow = { ...unsent, sending: 'claimed', version: 2 };
    await context.ledger.replaceOrder(claimed);
    known.set('r1', 11);
    assert.deepEqual(await restored.adoptUnsent(unsent), claimed);
  });
});

describe('the replacements that a restored ledger lacks', () => {
  it('adopts a replacement with the last order’s option, and no other field of it', async () => {
    const { add, context, idOf, known, restored } = await createRestoredParts();
    const third = await idOf(3);
    known.set(third, 11);
    await add({ ordinal: 2, late: true, option: 'card', order_no: 'P1', expires_at: 5 });
    assert.equal(await restored.adoptSuccessors('i1'), true);
    const order = await context.ledger.order(third);
    assert.deepEqual(
      [order?.ordinal, order?.option, order?.late, order?.order_no, order?.expires_at],
      [3, 'card', false, null, null],
    );
    assert.equal((await context.ledger.intent('i1'))?.current_request_id, third);
  });

  it('changes nothing when the service knows no replacement', async () => {
    const { add, restored } = await createRestoredParts();
    await add();
    assert.equal(await restored.adoptSuccessors('i1'), false);
  });

  it('adopts an unsent order that was sent later, and queries no sent order', async () => {
    const { add, known, queried, restored } = await createRestoredParts();
    await add({ sending: 'unsent' });
    assert.equal(await restored.adoptSuccessors('i1'), false);
    known.set('r1', 11);
    assert.equal(await restored.adoptSuccessors('i1'), true);
    queried.length = 0;
    const { queried: queriedOther, ...other } = await createRestoredParts();
    await other.add();
    await other.restored.adoptSuccessors('i1');
    assert.equal(queriedOther.includes('r1'), false);
  });

  it('asks for no replacements when the intent is unknown', async () => {
    const { queried, restored } = await createRestoredParts();
    assert.equal(await restored.adoptSuccessors('i1'), false);
    assert.deepEqual(queried, []);
  });
});

/** Eight relays write one intent with five orders at once: each change is written once. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { orderOf, type Rule } from '../../../../relay/ledger/intent.js';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { positionIn, recorded, withEvents } from '../../../../relay/ledger/rules.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { claimOrder } from '../../support/ledger-calls.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';

const RELAYS = 8;
const ORDERS = 5;
/** Changes of each relay to each order. */
const CHANGES = 4;

const folder = temporaryFolder('writers');
let running: Postgres | undefined;
after(async () => running?.stop());

const names: Readonly<Record<string, () => Promise<string>>> = {
  sqlite: async () => `sqlite:${join(folder, 'ledger.db')}`,
  postgres: async () => (running = await startPostgres({ syncs: false })).database(),
};

const orderAt = (ordinal: number): OrderRow => {
  return { ...fresh, request_id: `r${ordinal}`, ordinal };
};

/** Counts in the order, and tells it by an event. */
const counting =
  (requestId: string, name: string): Rule =>
  (intent, epoch) => {
    const order = orderOf(intent, requestId);
    if (!intent || !order) return null;
    const next = recorded(
      intent,
      { ...order, version: order.version + 1 },
      { at: order.created_at },
    );
    const { sequence } = positionIn(next, epoch);
    const event = { intent_id: intent.intent_id, sequence, type: 'order.created' } as const;
    const rest = { event_id: name, body: '{}', created_at: 1, next_try_at: 1, traceparent: null };
    return withEvents(next, [{ ...event, ...rest }]);
  };

for (const [engine, nameOf] of Object.entries(names))
  describe(`eight relays on ${engine}`, () => {
    it('write each change of an intent once, whoever is faster', async () => {
      const name = await nameOf();
      const relays = [];
      for (let index = 0; index < RELAYS; index++) relays.push(await openLedger(name));
      const [first] = relays;
      assert.ok(first);
      for (let ordinal = 1; ordinal <= ORDERS; ordinal++) {
        const after = ordinal === 1 ? null : `r${ordinal - 1}`;
        await claimOrder(first, { intent: freshIntent, order: orderAt(ordinal), after });
      }
      // an old version, as a relay has after it has waited for the service
      const known = await first.intent('i1');
      const results = await Promise.all(
        relays.flatMap((ledger, relay) =>
          Array.from({ length: ORDERS * CHANGES }, (_, index) => {
            const rule = counting(`r${1 + (index % ORDERS)}`, `${relay}-${index}`);
            return ledger.change('i1', rule, { known });
          }),
        ),
      );
      assert.ok(results.every(({ result }) => result === 'written'));
      const intent = await first.intent('i1');
      const count = RELAYS * ORDERS * CHANGES;
      assert.equal(intent?.event_count, count);
      for (const order of intent.orders)
        assert.equal(order.version, fresh.version + RELAYS * CHANGES);
      const { rows } = await first.listEvents(null, count);
      assert.deepEqual(
        rows.map(({ sequence }) => sequence),
        Array.from({ length: count }, (_, index) => index + 1),
      );
      for (const ledger of relays) await ledger.close();
    });
  });

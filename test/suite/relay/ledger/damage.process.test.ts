/** Intents that this relay cannot read, as after a rollback: the work on all others goes on. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { logDamage } from '../../../../relay/ledger/damage.js';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import { closingLedgers } from '../../support/closing-ledgers.js';
import { claimOrder, findOrder, replaceOrder } from '../../support/ledger-calls.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('damage');
const openLedger = closingLedgers();
let running: Postgres | undefined;
after(async () => running?.stop());

type Sql = (text: string) => Promise<void>;
let files = 0;
/** An address of a new ledger, and what executes SQL in it. */
const engines: Record<string, () => Promise<{ address: string; sql: Sql }>> = {
  SQLite: async () => {
    const file = join(folder, `${files++}.db`);
    const sql: Sql = async (text) => {
      const database = new DatabaseSync(file);
      database.exec(text);
      database.close();
    };
    return { address: `sqlite:${file}`, sql };
  },
  PostgreSQL: async () => {
    running ??= await startPostgres({ syncs: false });
    const address = await running.ledger();
    const sql: Sql = async (text) => {
      const client = new pg.Client({ connectionString: address });
      await client.connect();
      await client.query(text).finally(() => client.end());
    };
    return { address, sql };
  },
};

const AT = 1_000_000;
const ALWAYS = { since: 0, until: Number.MAX_SAFE_INTEGER };
const claim = (ledger: Ledger, id: string, created_at: number, next_check_at: number | null) =>
  claimOrder(ledger, {
    intent: { ...freshIntent, intent_id: id, created_at, unpaid_due_at: created_at },
    order: { ...fresh, request_id: id, intent_id: id, created_at, next_check_at },
    after: null,
  });
const idsOf = (rows: readonly { intent_id: string }[]): string[] =>
  rows.map(({ intent_id }) => intent_id);

for (const [name, create] of Object.entries(engines))
  describe(`a ledger in ${name} with intents that cannot be read`, () => {
    /** Three intents, the oldest first, of which the first and the last are damaged. */
    const damaged = async (next_check_at: number | null = AT) => {
      const { address, sql } = await create();
      const told: string[] = [];
      const ledger = await openLedger(address, { onDamage: (id) => void told.push(id) });
      for (const [index, id] of ['bad', 'good', 'worse'].entries())
        await claim(ledger, id, AT - 9 + index, next_check_at);
      const damage = () =>
        sql(`update intents set body = '{}' where intent_id in ('bad', 'worse')`);
      return { address, damage, ledger, told };
    };

    it('leases the orders of the others', async () => {
      const { damage, ledger, told } = await damaged();
      await damage();
      assert.deepEqual(idsOf(await ledger.leaseDueOrders(AT, AT + 1000, 9)), ['good']);
      assert.deepEqual(told.sort(), ['bad', 'worse']);
    });

    it('reports the others as unpaid, also when a whole page cannot be read', async () => {
      const { damage, ledger } = await damaged();
      await damage();
      assert.deepEqual(idsOf(await ledger.dueUnpaid(AT, 1)), ['good']);
    });

    it('walks the others in full pages, and names those that wait', async () => {
      const { damage, ledger, told } = await damaged();
      await replaceOrder(ledger, { ...fresh, request_id: 'good', intent_id: 'good', version: 2 });
      await damage();
      for (const by of ['created', ['confirming', 'pending']] as const)
        for (const limit of [1, 2, 9]) {
          const walked = await ledger.walkIntents(by, ALWAYS, null, limit);
          assert.deepEqual(idsOf(walked.map(({ intent }) => intent)), ['good']);
        }
      assert.ok(told.includes('worse'));
      const open = await ledger.openOrders();
      const waiting = open.map(({ outcome }) => ledger.oldestOpen(outcome, AT, 9));
      assert.deepEqual(idsOf((await Promise.all(waiting)).flat()), ['good']);
    });

    it('counts the others, keeps what was counted before, and says that some lack', async () => {
      const { damage, ledger } = await damaged();
      const counted = async () => {
        assert.equal(await ledger.countChanges(9), false);
        const { counts, isComplete } = await ledger.hourCounts(ALWAYS);
        return [counts[0]?.orders, isComplete];
      };
      assert.deepEqual(await counted(), [3, true]);
      for (const id of ['bad', 'good'])
        await replaceOrder(ledger, { ...fresh, request_id: id, intent_id: id, version: 2 });
      await damage();
      assert.deepEqual(await counted(), [3, false]);
    });

    it('repairs the schedules of the others', async () => {
      const { damage, ledger, told } = await damaged(AT + 600_000);
      await damage();
      const longest = { claimMs: 14_000, retryMs: [], checkMs: () => 10_000 };
      assert.equal(await ledger.repairSchedules(AT, longest, null), null);
      assert.equal((await findOrder(ledger, 'good'))?.next_check_at, AT + 14_000);
      assert.deepEqual(told.sort(), ['bad', 'worse']);
    });

    it('deletes the others, in steps, and keeps those that cannot be read', async () => {
      const { damage, ledger } = await damaged(null);
      await claim(ledger, 'newest', AT, AT);
      await damage();
      const first = await ledger.purge(AT, 1, null);
      assert.equal(first.deleted, 0);
      assert.deepEqual(await ledger.purge(AT, 1, first.next), {
        deleted: 1,
        next: { at: AT - 8, id: 'good' },
      });
      assert.equal(await ledger.intent('good'), null);
      assert.equal((await ledger.purge(AT, 9, null)).deleted, 0);
      await assert.rejects(ledger.intent('bad'), /the intent bad cannot be read/);
    });

    it('deletes the others of which nothing was sent', async () => {
      const { damage, ledger } = await damaged(null);
      for (const id of ['bad', 'good'])
        await ledger.change(id, (intent) => {
          const orders = intent!.orders.map((each) => ({ ...each, sending: 'unsent' as const }));
          return { intent: { ...intent!, orders } };
        });
      await claim(ledger, 'newest', AT, AT);
      await damage();
      // a page of which nothing can be read
      const step = await ledger.purgeUnsent(AT, 1, 0);
      assert.deepEqual(step, { deleted: 0, next: AT - 9 });
      assert.deepEqual(await ledger.purgeUnsent(AT, 9, AT - 9), { deleted: 1, next: null });
      assert.equal(await ledger.intent('good'), null);
    });

    it("stops the shop's list and an erase at such an intent, which the error names", async () => {
      const { damage, ledger, told } = await damaged();
      await damage();
      const named = {
        message: /^the intent (bad|worse) cannot be read: it is damaged, or a newer/,
      };
      await assert.rejects(ledger.listOrders(null, 9), named);
      const { customer_ref_id } = freshIntent;
      await assert.rejects(ledger.intentsOfCustomer(customer_ref_id, '', 9), named);
      assert.deepEqual(told, []);
    });

    it('fails when nobody is told of such an intent', async () => {
      const { address, damage } = await damaged();
      await damage();
      const ledger = await openLedger(address);
      const named = { message: /the intent \w+ cannot be read/ };
      await assert.rejects(ledger.walkIntents('created', ALWAYS, null, 9), named);
    });
  });

describe('the log of intents that cannot be read', () => {
  it('names each of them once', () => {
    const lines: unknown[] = [];
    const onDamage = logDamage((...line) => void lines.push(line));
    for (const id of ['a', 'b', 'a']) onDamage(id, new Error(`the intent ${id} cannot be read`));
    assert.deepEqual(
      lines,
      ['a', 'b'].map((id) => {
        const message = `the intent ${id} cannot be read`;
        return ['error', 'ledger', { intent_id: id, message }];
      }),
    );
  });
});

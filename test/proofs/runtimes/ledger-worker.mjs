/** Calls every method of a filled ledger in a Durable Object. */
import assert from 'node:assert/strict';
import { DurableObject } from 'cloudflare:workers';
import { durableObjectLedger } from 'pay-checkout-relay';
import { callEverything } from '../../suite/relay/ledger/call-everything.ts';
import { fresh, freshIntent } from '../../suite/relay/orders/fresh-order.ts';
import { fill } from '../../suite/support/filled-ledger.ts';

const ROWS = 1000;
const PARALLEL = 30;

async function rollBack(ledger) {
  const intent = { ...freshIntent, intent_id: 'rolled back' };
  const order = { ...fresh, request_id: 'rolled back', intent_id: 'rolled back' };
  await ledger.claimOrder({ intent, order, after: null });
  let beside;
  const fails = () => {
    // a write of another caller is not part of the transaction that fails at the same time
    beside = ledger.writeSetting('beside', 'kept');
    throw new Error('no event');
  };
  const changed = { ...order, status: 20, version: 2 };
  await assert.rejects(ledger.replaceOrder(changed, fails), /no event/);
  await beside;
  assert.equal(await ledger.setting('beside'), 'kept');
  assert.equal((await ledger.order('rolled back')).status, null);
  assert.equal(await ledger.replaceOrder(changed), true);
  assert.equal((await ledger.order('rolled back')).status, 20);
}

async function claimAtOnce(ledger) {
  const intent = { ...freshIntent, intent_id: 'at once' };
  const claims = Array.from({ length: PARALLEL }, (_, index) => {
    const order = { ...fresh, request_id: `at once ${index}`, intent_id: 'at once' };
    return ledger.claimOrder({ intent, order, after: null });
  });
  const won = (await Promise.all(claims)).filter(({ claimed }) => claimed);
  assert.equal(won.length, 1);
  assert.equal((await ledger.ordersOf('at once')).length, 1);
}

export class Ledger extends DurableObject {
  async fetch() {
    const { storage } = this.ctx;
    const now = Date.now();
    // the platform's own table, which the ledger must not read
    await storage.setAlarm(now + 3_600_000);
    // a second opening finds the schema
    await durableObjectLedger(storage);
    const ledger = await durableObjectLedger(storage);
    const run = async (text) => storage.sql.exec(text).toArray();
    await fill(run, 'sqlite', { count: ROWS, now, dueFrom: now });
    await callEverything(ledger, { rows: ROWS, now });
    await rollBack(ledger);
    await claimAtOnce(ledger);
    return Response.json(await ledger.verify());
  }

  /** The platform requires this method when an alarm is set. */
  async alarm() {}
}

export default { fetch: (request, env) => env.LEDGER.getByName('ledger').fetch(request) };

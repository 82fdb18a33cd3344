/** The failures that a page reads when its order was not placed, or when that is unknown. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../../../relay/contract/failure.js';
import {
  GenerationError,
  LedgerBusyError,
  LedgerGoneError,
  LedgerLostError,
} from '../../../../relay/ledger/ledger-errors.js';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { OrderServiceError } from '../../../../relay/order-service/errors.js';
import {
  asPlaceFailure,
  checkReached,
  asLedgerFailure,
  linkClosed,
  refusal,
  refusalOf,
} from '../../../../relay/orders/place-failures.js';
import { agesAt, fresh } from './fresh-order.js';

const codeOf = (error: unknown): unknown =>
  error instanceof Failure ? [error.code, error.field] : error;
const tooMany = (lastSent: OrderRow, waitMs: number): Failure =>
  refusalOf({ do: 'refuse', code: 'too_many_replacements', waitMs, lastSent }, agesAt(1000));
const OF_LEDGER = [new LedgerBusyError('locked'), new GenerationError('9'), new LedgerGoneError()];

describe('the failures of placing an order', () => {
  it('names the field “replaces” only when the refusal is about the replacement', () => {
    assert.deepEqual(codeOf(refusal('already_paid')), ['already_paid', 'replaces']);
    assert.deepEqual(codeOf(tooMany(fresh, Infinity)), ['too_many_replacements', 'replaces']);
    assert.deepEqual(codeOf(refusal('intent_closed')), ['intent_closed', undefined]);
  });

  it('says when the intent takes another order, if waiting helps', () => {
    assert.equal(tooMany(fresh, 1500).retry_after_s, 2);
    assert.equal(tooMany(fresh, Infinity).retry_after_s, undefined);
  });

  it('tells whether the last sent order can be paid when there were too many', () => {
    const outcomeOf = (change: Partial<OrderRow>) => tooMany({ ...fresh, ...change }, 1).outcome;
    assert.equal(outcomeOf({ outcome: 'pending' }), 'pending');
    assert.equal(outcomeOf({ outcome: 'pending', expires_at: 1000 }), 'expired');
    assert.equal(outcomeOf({ outcome: 'confirming', expires_at: 1001 }), 'confirming');
    assert.equal(outcomeOf({ outcome: 'expired' }), 'expired');
    assert.equal(outcomeOf({ outcome: 'failed' }), 'failed');
  });

  it('calls the intent closed when the pay link has no use left', () => {
    assert.deepEqual(codeOf(linkClosed()), ['intent_closed', undefined]);
  });

  it('says “nothing was placed” unless the connection to the ledger was lost', () => {
    // a write without an answer may have stored the order
    const lost = asPlaceFailure(new LedgerLostError('pool ended'));
    assert.deepEqual(codeOf(lost), ['ledger_unavailable', undefined]);
    assert.doesNotMatch(String(lost), /nothing was placed/);
  });

  it('names the cause of a busy ledger, and hides every other cause from the page', () => {
    assert.match(String(asLedgerFailure(new LedgerBusyError('locked'))), /locked/);
    const gone = String(asLedgerFailure(new LedgerGoneError()));
    assert.match(gone, /: the ledger cannot be used$/);
  });

  it('turns errors of the ledger and of the connection into failures for the page', () => {
    for (const error of OF_LEDGER) {
      assert.deepEqual(codeOf(asPlaceFailure(error)), ['service_unavailable', undefined]);
      assert.deepEqual(codeOf(asLedgerFailure(error)), ['ledger_unavailable', undefined]);
    }
    const unreached = new OrderServiceError('unreachable', 'no route');
    assert.deepEqual(codeOf(asPlaceFailure(unreached)), ['service_unreachable', undefined]);
    assert.equal(codeOf(asLedgerFailure(unreached)), unreached);
    assert.match(
      String(asPlaceFailure(unreached)),
      /: no connection to the order service; nothing/,
    );
  });

  it('does not blame the connection for what the relay itself did not send', () => {
    const own = new OrderServiceError('unreachable', 'the request could not be signed', {
      isOwn: true,
    });
    assert.match(String(asPlaceFailure(own)), /: the request could not be signed; nothing/);
    const unsent = { ...fresh, sending: 'unsent' } as const;
    assert.throws(
      () => checkReached(unsent, true),
      /: the ledger was too slow; nothing was placed/,
    );
  });

  it('returns every other error unchanged', () => {
    const other = new Error('a fault of the relay');
    assert.deepEqual([asPlaceFailure(other), asLedgerFailure(other)], [other, other]);
  });

  it('throws service_unreachable when the order never reached the service', () => {
    assert.equal(checkReached(fresh), fresh);
    assert.throws(
      () => checkReached({ ...fresh, sending: 'unsent' }),
      (error) => error instanceof Failure && error.code === 'service_unreachable',
    );
  });
});

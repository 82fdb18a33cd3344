/** What a page reads when its order was not placed, or may have been. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../../relay/contract/failure.js';
import { GenerationError, LedgerBusyError, LedgerGoneError } from '../../../relay/ledger/ledger.js';
import { OrderServiceError } from '../../../relay/order-service/errors.js';
import {
  asPlaceFailure,
  checkReached,
  notSuperseded,
  asLedgerFailure,
  refusal,
} from '../../../relay/orders/place-failures.js';
import { fresh } from './fresh-order.js';

const codeOf = (error: unknown): unknown =>
  error instanceof Failure ? [error.code, error.field] : error;
const OF_LEDGER = [new LedgerBusyError('locked'), new GenerationError('9'), new LedgerGoneError()];

describe('the failures of placing an order', () => {
  it('names the field that the customer’s change of the way to pay came in', () => {
    assert.deepEqual(codeOf(refusal('already_paid')), ['already_paid', 'replaces']);
    assert.deepEqual(codeOf(refusal('too_many_replacements')), [
      'too_many_replacements',
      'replaces',
    ]);
    assert.deepEqual(codeOf(refusal('intent_closed')), ['intent_closed', undefined]);
  });

  it('names the token when it cannot supersede', () => {
    for (const code of ['already_paid', 'already_superseded'] as const)
      assert.deepEqual(codeOf(notSuperseded(code)), [code, 'order_token']);
    assert.match(notSuperseded('already_paid').message, /is paid; nothing was placed/);
    assert.match(notSuperseded('already_superseded').message, /another token/);
  });

  it('says that nothing was placed only when that is known', () => {
    for (const error of OF_LEDGER) {
      assert.deepEqual(codeOf(asPlaceFailure(error)), ['service_unavailable', undefined]);
      assert.deepEqual(codeOf(asLedgerFailure(error)), ['ledger_unavailable', undefined]);
    }
    const unreached = new OrderServiceError('unreachable', 'no route');
    assert.deepEqual(codeOf(asPlaceFailure(unreached)), ['service_unreachable', undefined]);
    assert.equal(codeOf(asLedgerFailure(unreached)), unreached);
  });

  it('leaves every other error as it is', () => {
    const other = new Error('a fault of the relay');
    assert.deepEqual([asPlaceFailure(other), asLedgerFailure(other)], [other, other]);
  });

  it('shows no order of which nothing reached the service', () => {
    assert.equal(checkReached(fresh), fresh);
    assert.throws(
      () => checkReached({ ...fresh, sending: 'unsent' }),
      (error) => error instanceof Failure && error.code === 'service_unreachable',
    );
  });
});

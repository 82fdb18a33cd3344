/** The circuit breaker stops calls to a silent service, and allows them after a probe. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createCircuitBreaker,
  type CircuitBreaker,
} from '../../../../relay/order-service/circuit-breaker.js';
import { createOrderService } from '../../../../relay/order-service/client.js';
import { OrderServiceError } from '../../../../relay/order-service/errors.js';
import { manualClock, settle, type ManualClock } from '../../support/manual-clock.js';
import { refusing, unanswered } from '../orders/parts.js';

type Broken = {
  breaker: CircuitBreaker;
  clock: ManualClock;
  /** The request_ids of the queries that were sent. */
  queried: string[];
  /** Whether the service answers a probe. */
  service: { isUp: boolean };
  /** Sends queries that the service does not answer; an open breaker sends none of them. */
  fail(queries?: number): Promise<void>;
};

const PROBE = 'the probe';
/** Of no order, in the form of the relay's own. */
const UNKNOWN = /^[a-z0-9]{26}$/;

function broken(isUp: boolean): Broken {
  const clock = manualClock();
  const queried: string[] = [];
  const service = { isUp };
  const breaker = createCircuitBreaker(
    {
      ...createOrderService({ send: unanswered }),
      query: async ({ request_id }) => {
        const isProbe = UNKNOWN.test(request_id);
        queried.push(isProbe ? PROBE : request_id);
        return service.isUp && isProbe ? refusing('4040')() : unanswered();
      },
    },
    { clock, maxConcurrent: 100 },
  );
  const fail = async (queries = 5): Promise<void> => {
    for (let call = 0; call < queries; call++)
      await assert.rejects(breaker.service.query({ request_id: 'r1' }), OrderServiceError);
    await settle();
  };
  return { breaker, clock, queried, service, fail };
}

describe('the circuit breaker', () => {
  it('opens after five calls without an answer, and sends a probe at once', async () => {
    const { queried, breaker, fail } = broken(false);
    await fail(4);
    assert.equal(breaker.isOpen(), false);
    await fail(1);
    assert.deepEqual([breaker.isOpen(), queried], [true, ['r1', 'r1', 'r1', 'r1', 'r1', PROBE]]);
  });

  it('sends only one probe a second while the breaker is open', async () => {
    const { queried, breaker, clock, fail } = broken(false);
    await fail();
    queried.length = 0;
    await fail(3);
    await clock.advance(999);
    await breaker.probe();
    assert.deepEqual(queried, []);
    await clock.advance(1);
    await breaker.probe();
    assert.deepEqual([queried, breaker.isOpen()], [[PROBE], true]);
  });

  it('closes when a probe is answered', async () => {
    const { breaker, clock, fail, service } = broken(false);
    await fail();
    service.isUp = true;
    await clock.advance(1000);
    await breaker.probe();
    assert.equal(breaker.isOpen(), false);
  });

  it('closes at once when only some orders make the service fail', async () => {
    const { queried, breaker, clock, fail } = broken(true);
    await fail();
    assert.deepEqual([breaker.isOpen(), queried.at(-1)], [false, PROBE]);
    await clock.advance(10_000);
    await fail();
    assert.equal(breaker.isOpen(), false);
    assert.equal(queried.filter((id) => id === PROBE).length, 2);
  });

  it('remains open for a second when it opens again within ten seconds', async () => {
    const { queried, breaker, clock, fail } = broken(true);
    await fail();
    await clock.advance(9999);
    queried.length = 0;
    await fail();
    await clock.advance(999);
    await breaker.probe();
    assert.deepEqual([breaker.isOpen(), queried.includes(PROBE)], [true, false]);
    await clock.advance(1);
    await breaker.probe();
    assert.equal(breaker.isOpen(), false);
  });

  it('does not open when the relay itself cannot sign its requests', async () => {
    const sign = (): never => {
      throw new Error('no key');
    };
    const unsigned = createOrderService({ send: unanswered, sign });
    const breaker = createCircuitBreaker(unsigned, { clock: manualClock(), maxConcurrent: 100 });
    for (let call = 0; call < 5; call++)
      await assert.rejects(breaker.service.query({ request_id: 'r1' }), /could not be signed/);
    assert.equal(breaker.isOpen(), false);
  });

  it('says itself why it sent nothing', async () => {
    const { breaker, fail } = broken(false);
    await fail();
    const refused = await breaker.service.query({ request_id: 'r1' }).catch((error: unknown) => {
      assert.ok(error instanceof OrderServiceError);
      return [error.kind, error.isOwn, error.message];
    });
    assert.deepEqual(refused, ['unreachable', true, 'the circuit breaker is open']);
  });
});

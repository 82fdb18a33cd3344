/**
 * Compares the rules with a model of the real world: a service that may have the order, answers
 * that are lost, and relays that are killed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import type { OrderEvent, Rules, ServiceOrder } from '../../../../relay/orders/order-event.js';
import { fresh, rules as base, transition } from './fresh-order.js';

/** A request that is still in transit arrives before this time has passed. */
const RESEND_AFTER_S = 30;
const rules: Rules = { ...base, resendAfterS: RESEND_AFTER_S };

/** The truth, which the relay may not know. */
type World = {
  now: number;
  /** How many times the service accepted a pay of this request_id. */
  accepted: number;
  status: number;
  /** Whether a pay, whose answer is lost, has not yet arrived. */
  inTransit: boolean;
  /** Whether the process that claimed the order is alive and has not finished. */
  sending: boolean;
  /** The version of the order that the process claimed. */
  claim: number;
  successSeen: boolean;
};
type Relay = { order: OrderRow };
type Command = fc.Command<World, Relay>;

const answer = ({ status }: World): ServiceOrder => ({
  status,
  request_id: 'r1',
  order_amount: '12.5',
  currency: 'USD',
  qrcode_string: 'qr',
});

function applyEvent(world: World, relay: Relay, event: OrderEvent): void {
  const before = relay.order;
  const { effects, order } = transition(before, event, rules);
  relay.order = order;
  if ('answer' in event && event.answer.status === 20) world.successSeen = true;
  if (effects.includes('resend')) {
    // a resend claims first
    relay.order = { ...order, sending: 'claimed', version: order.version + 1 };
    Object.assign(world, { sending: true, claim: relay.order.version });
  }
  assert.equal(
    order.outcome === 'succeeded',
    world.successSeen,
    'succeeded exactly when the service reported it',
  );
  if (order.outcome === 'failed' && before.outcome !== 'failed')
    assert.ok(
      before.sending === 'refused' || ('answer' in event && event.answer.status === 30),
      'an order fails only after a refusal or a status that says failed',
    );
  assert.ok(world.accepted <= 1, 'the service accepts a request_id once');
}

const arrive = (world: World): void => {
  if (world.inTransit) world.accepted++;
  world.inTransit = false;
};

type HowPaid = 'answered' | 'lost' | 'lost after' | 'late' | 'refused' | 'unsent';
const pay = (how: HowPaid): Command => ({
  toString: () => `pay: ${how}`,
  check: ({ sending }) => sending,
  run: (world, relay) => {
    endClaim(world, relay, how);
    const { sending } = relay.order;
    assert.notEqual(sending, 'claimed', 'the result of a pay ends its claim');
  },
});

function endClaim(world: World, relay: Relay, how: HowPaid): void {
  world.sending = false;
  if (how === 'answered' || how === 'lost after') world.accepted++;
  if (how === 'late') world.inTransit = true;
  if (how === 'answered')
    return applyEvent(world, relay, {
      type: 'pay_answered',
      at: world.now,
      answer: { ...answer(world), status: 11 },
    });
  if (how === 'refused' || how === 'unsent')
    return applyEvent(world, relay, { type: `pay_${how}`, at: world.now, claim: world.claim });
  applyEvent(world, relay, { type: 'pay_lost', at: world.now, claim: world.claim });
}

const commands: fc.Arbitrary<Command>[] = [
  fc
    .constantFrom('answered', 'lost', 'lost after', 'late', 'refused', 'unsent')
    .map((how) => pay(how as HowPaid)),
  // the process is killed, and a later check finds the expired claim
  fc.boolean().map((delivered): Command => ({
    toString: () => `crash, ${delivered ? 'after' : 'before'} the request left`,
    check: ({ sending }) => sending,
    run: (world, relay) => {
      world.sending = false;
      if (delivered) world.accepted++;
      world.now += rules.claimMs;
      applyEvent(world, relay, { type: 'pay_lost', at: world.now, claim: relay.order.version });
    },
  })),
  // a second check that read an older version must change nothing
  fc.constant<Command>({
    toString: () => 'a late check',
    check: () => true,
    run: (world, relay) => {
      const before = relay.order;
      applyEvent(world, relay, { type: 'pay_lost', at: world.now, claim: before.version - 1 });
      assert.deepEqual(
        [relay.order.sending, relay.order.outcome],
        [before.sending, before.outcome],
      );
    },
  }),
  // also while a request is under way: the query may have been sent before the order was claimed
  fc.boolean().map((reachable): Command => ({
    toString: () => `query${reachable ? '' : ', no answer'}`,
    check: () => true,
    run: (world, relay) => {
      if (relay.order.sending === 'unsent') return;
      if (!reachable) return applyEvent(world, relay, { type: 'query_missed', at: world.now });
      if (world.accepted > 0)
        return applyEvent(world, relay, {
          type: 'query_answered',
          at: world.now,
          answer: answer(world),
        });
      applyEvent(world, relay, { type: 'query_not_found', at: world.now });
    },
  })),
  fc.constantFrom(11, 20, 30, 40).map((status): Command => ({
    toString: () => `the status becomes ${status}`,
    check: ({ accepted, status: present }) => accepted > 0 && present !== 20,
    run: (world) => void (world.status = status),
  })),
  fc.integer({ min: 1, max: 60 }).map((seconds): Command => ({
    toString: () => `${seconds} s pass`,
    // a pay ends within its claim, or the process is killed as above
    check: ({ sending }) => !sending,
    run: (world) => {
      world.now += seconds * 1000;
      arrive(world);
    },
  })),
];

test('sends no order twice and records only the service’s actions, in 20,000 histories', () => {
  const ends: Record<string, number> = {};
  fc.assert(
    fc.property(fc.commands(commands, { maxCommands: 16 }), (history) => {
      const world: World = {
        now: 0,
        accepted: 0,
        status: 11,
        inTransit: false,
        sending: true,
        claim: fresh.version,
        successSeen: false,
      };
      const relay: Relay = { order: fresh };
      fc.modelRun(() => ({ model: world, real: relay }), history);
      arrive(world);
      if (!world.sending && world.accepted > 0) {
        applyEvent(world, relay, { type: 'query_answered', at: world.now, answer: answer(world) });
        const truth = { 11: 'pending', 20: 'succeeded', 30: 'failed', 40: 'expired' }[world.status];
        assert.equal(relay.order.outcome, truth);
      }
      ends[relay.order.outcome] = (ends[relay.order.outcome] ?? 0) + 1;
    }),
    { numRuns: 20_000 },
  );
  for (const outcome of ['pending', 'confirming', 'succeeded', 'failed', 'expired'])
    assert.ok((ends[outcome] ?? 0) > 100, `too few histories ended ${outcome}`);
});

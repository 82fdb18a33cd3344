/**
 * An order in the words of the two protocols by which agents buy. Both change between versions, so
 * only this module knows them: the Universal Commerce Protocol (UCP) as of commit fdcf8934 of its
 * repository (22 August 2026), whose checkout has `actions`, and the Agentic Commerce Protocol
 * (ACP) of 2026-04-17, which has none. The shop merges the fields into the checkout session that it
 * answers. `expires_at` there is of the session and the shop's to say: that of the order is of its
 * code, and stands in the action alone.
 */
import type { NextAction } from '../../relay/contract/order.js';
import type { BackendOrder } from '../../relay/contract/responses.js';

/** Addresses of the shop, which an order does not know. What is absent is left out. */
export type AgentAddresses = {
  /** Where the customer goes on, for example a pay link; https. */
  continue_url?: string | undefined;
  /** Where the customer finds the paid order; https. The protocols know no order without one. */
  permalink_url?: string | undefined;
};

/** What the agent shows to the customer. Amounts are decimal strings, as in the order. */
export type AgentAction = Exclude<NextAction, { kind: 'wait' }> & {
  amount: string;
  currency: string;
  payee?: string;
  expires_at?: string;
};

type Message<Code> =
  | { type: 'info'; content_type: 'plain'; content: string }
  | { type: 'error'; code: Code; content_type: 'plain'; content: string };

export type UcpCheckout = {
  status: 'complete_in_progress' | 'incomplete' | 'completed' | 'canceled';
  actions?: Record<string, [{ id: string; config: AgentAction }]>;
  messages: (Message<'payment_failed'> & { severity?: 'recoverable' })[];
  continue_url?: string;
  order?: { id: string; permalink_url: string };
};

export type AcpCheckout = {
  status:
    'requires_escalation' | 'complete_in_progress' | 'ready_for_payment' | 'completed' | 'canceled';
  messages: Message<'payment_declined' | 'expired'>[];
  continue_url?: string;
  metadata?: { next_action: AgentAction };
  order?: {
    type: 'order';
    id: string;
    checkout_session_id: string;
    permalink_url: string;
    status: 'confirmed';
  };
};

type Stage = 'paid' | 'canceled' | 'pay' | 'in_progress' | 'try_again';

/**
 * An unknown outcome is in progress: an agent must neither deliver nor pay again. So is a failed
 * order beside which another one can still be paid.
 */
function stageOf(order: BackendOrder): Stage {
  // what is paid after a person resolved it as failed, or after a close, is to be paid back
  if (order.outcome === 'succeeded' && order.resolved_as === 'failed') return 'canceled';
  if (order.closed || order.late_payment) return wasPaidInTime(order) ? 'paid' : 'canceled';
  if (order.outcome === 'succeeded' || order.paid_by !== undefined) return 'paid';
  if (order.outcome === 'failed' || order.outcome === 'expired')
    return order.other_payable ? 'in_progress' : 'try_again';
  return actionOf(order) ? 'pay' : 'in_progress';
}

const wasPaidInTime = ({ late_payment, outcome }: BackendOrder): boolean =>
  outcome === 'succeeded' && late_payment === undefined;

/** @returns null when there is nothing to do for the customer, or the code has expired */
function actionOf(order: BackendOrder): AgentAction | null {
  const { amount, currency, expires_at, next_action, outcome, payee, server_time } = order;
  if (outcome !== 'pending' || next_action === null || next_action.kind === 'wait') return null;
  if (expires_at !== undefined && Date.parse(expires_at) <= Date.parse(server_time)) return null;
  return {
    ...next_action,
    amount,
    currency,
    ...(payee !== undefined && { payee }),
    ...(expires_at !== undefined && { expires_at }),
  };
}

const SENTENCES: Record<Exclude<Stage, 'paid'>, string> = {
  canceled: 'The shop ended this purchase.',
  pay: 'The customer pays with the code or link.',
  in_progress: 'The payment is being checked. Do not pay again.',
  try_again: 'The payment did not succeed. The customer can try again.',
};

/**
 * Describes the order as the fields of a UCP checkout.
 *
 * @param type the action's type: a name under a domain of yours in reverse, for example
 *   `example.shop.pay`, as your UCP profile declares it; without one there is no action
 */
export function toUcpAction(
  order: BackendOrder,
  { continue_url, permalink_url, type }: AgentAddresses & { type?: string | undefined } = {},
): UcpCheckout {
  const stage = stageOf(order);
  const next = continue_url === undefined ? {} : { continue_url };
  if (stage === 'paid')
    return {
      status: 'completed',
      messages: [],
      ...(permalink_url !== undefined && { order: { id: order.intent_id, permalink_url } }),
    };
  const content_type = 'plain';
  const content = SENTENCES[stage];
  const info = [{ type: 'info', content_type, content }] satisfies UcpCheckout['messages'];
  if (stage === 'canceled') return { status: 'canceled', messages: info };
  if (stage === 'try_again')
    return {
      status: 'incomplete',
      ...next,
      messages: [
        { type: 'error', code: 'payment_failed', severity: 'recoverable', content_type, content },
      ],
    };
  const action = actionOf(order);
  return {
    status: 'complete_in_progress',
    ...next,
    messages: info,
    ...(action &&
      type !== undefined && { actions: { [type]: [{ id: order.request_id, config: action }] } }),
  };
}

/**
 * Describes the order as the fields of an ACP checkout session. ACP has no actions, so an agent
 * leads the customer to `continue_url`; one that knows ours finds it in `metadata.next_action`.
 *
 * @param session_id the id of the checkout session; without one a paid order is not described
 */
export function toAcp(
  order: BackendOrder,
  {
    continue_url,
    permalink_url,
    session_id,
  }: AgentAddresses & { session_id?: string | undefined } = {},
): AcpCheckout {
  const stage = stageOf(order);
  const next = continue_url === undefined ? {} : { continue_url };
  if (stage === 'paid') {
    const id = order.intent_id;
    if (permalink_url === undefined || session_id === undefined)
      return { status: 'completed', messages: [] };
    const paid = { type: 'order', id, checkout_session_id: session_id, permalink_url } as const;
    return { status: 'completed', messages: [], order: { ...paid, status: 'confirmed' } };
  }
  const content_type = 'plain';
  const content = SENTENCES[stage];
  const info = [{ type: 'info', content_type, content }] satisfies AcpCheckout['messages'];
  if (stage === 'canceled') return { status: 'canceled', messages: info };
  if (stage === 'try_again') {
    const code = order.outcome === 'expired' ? 'expired' : 'payment_declined';
    const messages = [{ type: 'error', code, content_type, content } as const];
    return { status: 'ready_for_payment', ...next, messages };
  }
  const action = actionOf(order);
  return {
    status: action ? 'requires_escalation' : 'complete_in_progress',
    ...next,
    messages: info,
    ...(action && { metadata: { next_action: action } }),
  };
}

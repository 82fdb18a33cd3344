/** The customer's phone in a test: each of its methods acts on an order of the sandbox. */
import type { Action } from '../sandbox/orders.js';

export type CustomerPhone = {
  /** The customer pays. */
  confirm(): Promise<void>;
  /** The customer or the bank refuses. */
  decline(): Promise<void>;
  expire(): Promise<void>;
  /** The money arrives after the order had failed or expired. */
  payLate(): Promise<void>;
};

/**
 * @param sandbox URL of the sandbox, such as `http://localhost:9000`
 * @param order finds the request_id to act on; by default that of the sandbox's last order
 * @returns a phone; each method resolves once the sandbox has changed the order, and rejects when
 *   the sandbox has no such order
 */
export function customerPhone(
  sandbox: string,
  order: () => Promise<string> = () => lastOrder(sandbox),
): CustomerPhone {
  const press = async (action: Action): Promise<void> => {
    const requestId = await order();
    const response = await fetch(`${sandbox}/control/orders/${encodeURIComponent(requestId)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action }),
    });
    if (!response.ok)
      throw new Error(`the sandbox on ${sandbox} has no order ${requestId}: ${response.status}`);
  };
  return {
    confirm: () => press('confirm'),
    decline: () => press('decline'),
    expire: () => press('expire'),
    payLate: () => press('pay_late'),
  };
}

async function lastOrder(sandbox: string): Promise<string> {
  const response = await fetch(`${sandbox}/control/orders`);
  const orders = (await response.json()) as { kind: string; request_id: string }[];
  const last = orders.findLast(({ kind }) => kind === 'pay');
  if (!last) throw new Error(`the sandbox on ${sandbox} has no order`);
  return last.request_id;
}

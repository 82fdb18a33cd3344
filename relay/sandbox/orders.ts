/** The sandbox's orders, in memory. It deduplicates them only when configured to. */

/** Only 11 is documented; the other numbers are the sandbox's own. */
const defaultStatuses = { created: 11, paid: 20, declined: 30, expired: 40 } as const;
export type Statuses = { readonly [K in keyof typeof defaultStatuses]: number };

export type SandboxOrder = {
  readonly kind: 'pay' | 'withdraw' | 'payout';
  readonly request_id: string;
  readonly order_no: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly link: Readonly<Record<string, string>>;
  readonly created_at: string;
  status: number;
};

export const actions = ['confirm', 'decline', 'expire', 'pay_late'] as const;
export type Action = (typeof actions)[number];

const STATUS_AFTER: Readonly<Record<Action, keyof Statuses>> = {
  confirm: 'paid',
  decline: 'declined',
  expire: 'expired',
  pay_late: 'paid',
};

export type Orders = {
  readonly statuses: Statuses;
  all(): readonly SandboxOrder[];
  /** The first order of a request_id. */
  byRequest(requestId: string): SandboxOrder | undefined;
  byNumber(orderNo: string): SandboxOrder | undefined;
  /** @returns undefined when the request_id is known, and is that of an order of another kind */
  add(
    kind: SandboxOrder['kind'],
    fields: Readonly<Record<string, string>>,
    link: (orderNo: string) => Record<string, string>,
  ): SandboxOrder | undefined;
  setStatus(order: SandboxOrder, status: number): void;
  act(order: SandboxOrder, action: Action): void;
  /** Does what `act` does, for the form of a page, unless the order has already ended. */
  press(order: SandboxOrder, action: Action): void;
  clear(): void;
};

/**
 * @param onChange called after a change of an order's status
 * @param deduplicate whether a known request_id gets its first order again, and no new one
 */
export function createOrders(
  onChange: (order: SandboxOrder) => void,
  deduplicate: boolean,
  statuses: Statuses = defaultStatuses,
): Orders {
  let list: SandboxOrder[] = [];
  const firstByRequest = new Map<string, SandboxOrder>();
  const byOrderNo = new Map<string, SandboxOrder>();
  let nextNumber = 1;
  const setStatus = (order: SandboxOrder, status: number): void => {
    order.status = status;
    onChange(order);
  };
  const act = (order: SandboxOrder, action: Action): void =>
    setStatus(order, statuses[STATUS_AFTER[action]]);
  return {
    statuses,
    all: () => list,
    byRequest: (requestId) => firstByRequest.get(requestId),
    byNumber: (orderNo) => byOrderNo.get(orderNo),
    add: (kind, fields, link) => {
      const request_id = fields.request_id ?? '';
      const known = deduplicate ? firstByRequest.get(request_id) : undefined;
      if (known) return known.kind === kind ? known : undefined;
      const order_no = `S${String(nextNumber++).padStart(8, '0')}`;
      const created: SandboxOrder = {
        kind,
        request_id,
        order_no,
        fields,
        link: link(order_no),
        created_at: new Date().toISOString(),
        status: statuses.created,
      };
      list.push(created);
      if (!firstByRequest.has(request_id)) firstByRequest.set(request_id, created);
      byOrderNo.set(order_no, created);
      return created;
    },
    setStatus,
    act,
    press: (order, action) => {
      const possible =
        action === 'pay_late' ? order.status !== statuses.paid : order.status === statuses.created;
      if (possible) act(order, action);
    },
    clear: () => {
      list = [];
      firstByRequest.clear();
      byOrderNo.clear();
    },
  };
}

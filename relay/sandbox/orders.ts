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

export type Orders = {
  readonly statuses: Statuses;
  all(): readonly SandboxOrder[];
  /** The first order of a request_id. */
  byRequest(requestId: string): SandboxOrder | undefined;
  byNumber(orderNo: string): SandboxOrder | undefined;
  add(
    kind: SandboxOrder['kind'],
    fields: Readonly<Record<string, string>>,
    link: (orderNo: string) => Record<string, string>,
  ): SandboxOrder;
  setStatus(order: SandboxOrder, status: number): void;
  act(order: SandboxOrder, action: Action): void;
  /** Like `act`, but for the form of a page: does nothing when the order has already ended. */
  press(order: SandboxOrder, action: Action): void;
  clear(): void;
};

/** @param onChange called after a change of an order */
export function createOrders(
  onChange: (order: SandboxOrder) => void,
  deduplicate: boolean,
  statuses: Statuses = defaultStatuses,
): Orders {
  let list: SandboxOrder[] = [];
  const first = new Map<string, SandboxOrder>();
  const numbered = new Map<string, SandboxOrder>();
  let next = 1;
  const setStatus = (order: SandboxOrder, status: number): void => {
    order.status = status;
    onChange(order);
  };
  const act = (order: SandboxOrder, action: Action): void =>
    setStatus(order, statuses[after[action]]);
  const after: Record<Action, keyof Statuses> = {
    confirm: 'paid',
    decline: 'declined',
    expire: 'expired',
    pay_late: 'paid',
  };
  return {
    statuses,
    all: () => list,
    byRequest: (requestId) => first.get(requestId),
    byNumber: (orderNo) => numbered.get(orderNo),
    add: (kind, fields, link) => {
      const request_id = fields.request_id ?? '';
      const known = deduplicate ? first.get(request_id) : undefined;
      if (known) return known;
      const order_no = `S${String(next++).padStart(8, '0')}`;
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
      if (!first.has(request_id)) first.set(request_id, created);
      numbered.set(order_no, created);
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
      first.clear();
      numbered.clear();
    },
  };
}

/** The relay's order parts on a ledger in memory, with a clock and a service that a test drives. */
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { createIdentity } from '../../../../relay/intent/identity.js';
import { createLedgerClock } from '../../../../relay/ledger/ledger-clock.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import type { IntentRow, OrderRow } from '../../../../relay/ledger/rows.js';
import { createOrderService, type OrderService } from '../../../../relay/order-service/client.js';
import { OrderServiceError } from '../../../../relay/order-service/errors.js';
import type { DataOf, RequestToCheck } from '../../../../relay/order-service/operations.js';
import { createCapabilities } from '../../../../relay/orders/capabilities.js';
import type { Context } from '../../../../relay/orders/context.js';
import { offerOf } from '../../../../relay/orders/option-switches.js';
import { createOrderStore, type OrderStore } from '../../../../relay/orders/order-store.js';
import { createPlacingLimit } from '../../../../relay/orders/placing-limit.js';
import { createSignalCounts } from '../../../../relay/webhooks/signal-counts.js';
import { readSecret, testConfig } from '../../support/world.js';
import { manualClock, type ManualClock } from '../../support/manual-clock.js';
import { fresh, freshIntent } from './fresh-order.js';
import { claimOrder } from '../../support/ledger-calls.js';

/** An answer of the service; the fields that are not named are absent. */
type Answer = Partial<DataOf<'pay'>> & { status: number };
const ABSENT = {
  request_id: undefined,
  partner_id: undefined,
  payment_method: undefined,
  order_no: undefined,
  currency: undefined,
  order_amount: undefined,
};

export type Parts = {
  context: Context;
  store: OrderStore;
  clock: ManualClock;
  /** The service's answers, which a test replaces. By default an order is created and unpaid. */
  service: {
    query: (request: RequestToCheck<'query'>) => Promise<Answer>;
    pay: (request: RequestToCheck<'pay'>) => Promise<Answer>;
  };
  /** The request_ids that the service was asked about, and the pays that it received. */
  queried: string[];
  pays: RequestToCheck<'pay'>[];
  breaker: { open: boolean };
  /** Level, event and fields of each line of the log. */
  lines: [string, string, Record<string, unknown>][];
  /** Name, amount and labels of each change of a metric. */
  counted: [string, number, Record<string, string> | undefined][];
  /** Writes an order of intent `i1` and its intent to the ledger. */
  add(order?: Partial<OrderRow>, intent?: Partial<IntentRow>): Promise<OrderRow>;
};

export const unanswered = async (): Promise<never> => {
  throw new OrderServiceError('outcome_unknown', 'no answer in time');
};
export const refusing = (code: string) => async (): Promise<never> => {
  throw new OrderServiceError('refused', 'refused', { code, enveloped: true });
};

export async function createParts(config: Partial<ConfigFile> = {}): Promise<Parts> {
  const settings = { ...testConfig.service, timeout_ms: 400 };
  const parsed = parseConfig({ ...testConfig, service: settings, ...config }, readSecret);
  const ledger = memoryLedger();
  const clock = manualClock();
  const ledgerClock = createLedgerClock(ledger, clock, () => {});
  await ledgerClock.read();
  const breaker = { open: false };
  const [queried, pays]: [string[], RequestToCheck<'pay'>[]] = [[], []];
  const [lines, counted]: [Parts['lines'], Parts['counted']] = [[], []];
  const answers: Parts['service'] = {
    query: async ({ request_id }) => ({ status: 11, request_id }),
    pay: async ({ request_id }) => ({ status: 11, request_id, order_no: 'P1' }),
  };
  const service: OrderService = {
    ...createOrderService({ send: unanswered }),
    queryOrder: async (request) => {
      queried.push(request.request_id);
      return { ...ABSENT, ...(await answers.query(request)) };
    },
    preparePay: async (request) => ({
      drop: () => {},
      send: async (isLate) => {
        if (isLate()) throw new OrderServiceError('unreachable', 'too late');
        pays.push(request);
        return { ...ABSENT, ...(await answers.pay(request)) };
      },
    }),
  };
  const context: Context = {
    config: parsed,
    ledger,
    service,
    breaker: { service, isOpen: () => breaker.open, probe: async () => {} },
    clock,
    ledgerClock,
    log: (level, event, fields = {}) => void lines.push([level, event, fields]),
    metrics: {
      add: (name, by, labels) => void counted.push([name, by, labels]),
      observe: () => {},
    },
    busy: () => 0,
    capabilities: createCapabilities(parsed, ledger),
    identity: createIdentity(parsed, ledger),
    placingLimit: createPlacingLimit(clock),
    signalCounts: createSignalCounts(),
    offer: () => offerOf(parsed, new Map()),
  };
  return {
    context,
    store: createOrderStore(context),
    clock,
    service: answers,
    queried,
    pays,
    breaker,
    lines,
    counted,
    add: async (change = {}, intent = {}) => {
      const order: OrderRow = {
        ...fresh,
        sending: 'answered',
        status: 11,
        first_status: 11,
        created_at: clock.now(),
        aged_from: change.created_at ?? clock.now(),
        next_check_at: clock.now() + 2000,
        ...change,
      };
      const after = (await ledger.intent(order.intent_id))?.current_request_id ?? null;
      const opened = { ...freshIntent, intent_id: order.intent_id, ...intent };
      const claimed = await claimOrder(ledger, { intent: opened, order, after });
      if (!claimed.claimed || !claimed.order)
        throw new Error(`${order.request_id} was not claimed`);
      return claimed.order;
    },
  };
}

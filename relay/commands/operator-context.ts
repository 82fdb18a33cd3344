/** What the operator's commands work with: the ledger beside the relays, and the service. */
import { refuseCopy, requireReaders } from '../bind-ledger.js';
import { createIdentity } from '../intent/identity.js';
import { createLedgerClock } from '../ledger/ledger-clock.js';
import { httpClients } from '../node/http-clients.js';
import { nodeClock } from '../node/process.js';
import type { CloseByIdDeps } from '../operator/close.js';
import { createOrderService } from '../order-service/client.js';
import { createCapabilities } from '../orders/capabilities.js';
import type { Context } from '../orders/context.js';
import { offerOf } from '../orders/option-switches.js';
import { createOrderStore, type StoreContext } from '../orders/order-store.js';
import { createPlacingLimit } from '../orders/placing-limit.js';
import { createRestored } from '../orders/restored/restored.js';
import { noMetrics } from '../runtime.js';
import { createSignalCounts } from '../webhooks/signal-counts.js';
import { withLedger } from './with-ledger.js';

/** What a verb does beside reading; `events`: it may write an event for the shop. */
type Use = 'reads' | 'writes' | 'events';

/**
 * For verbs that ask the ledger alone.
 *
 * @throws Error when the verb writes and the ledger is a copy, where a person would decide about
 *   old orders, or when it writes events and this configuration lacks what the relays tell the shop
 *   by
 */
export const withStore = <T>(
  configFile: string,
  use: Use,
  work: (context: StoreContext) => Promise<T>,
): Promise<T> =>
  withLedger(configFile, async (ledger, config) => {
    const ledgerClock = createLedgerClock(ledger, nodeClock, () => {});
    // what is done is dated by the ledger's clock
    await ledgerClock.read();
    if (use !== 'reads') await refuseCopy(ledger);
    if (use === 'events') await requireReaders(config, ledger);
    return work({ config, ledger, ledgerClock, log: () => {}, metrics: noMetrics });
  });

/**
 * For verbs that may ask the order service, by connections of its own beside the relays. An answer
 * of the service may bring an event.
 */
export const withService = <T>(
  configFile: string,
  use: Exclude<Use, 'writes'>,
  work: (context: Context) => Promise<T>,
): Promise<T> =>
  withStore(configFile, use, async (context) => {
    const { base_url, headers, idle_ms, sign, timeout_ms } = context.config.service;
    const revealed = Object.entries(headers).map(([name, value]) => [name, value.reveal()]);
    const clients = httpClients({
      baseUrl: base_url,
      headers: Object.fromEntries(revealed) as Record<string, string>,
      idleMs: idle_ms,
    });
    try {
      const service = createOrderService({ send: clients.send, sign, timeoutMs: timeout_ms });
      return await work(fullContext(context, service));
    } finally {
      await clients.close();
    }
  });

/** A command sends a few queries and no pay, so it has no breaker and no limits. */
function fullContext(store: StoreContext, service: Context['service']): Context {
  const { config, ledger } = store;
  return {
    ...store,
    signalCounts: createSignalCounts(),
    service,
    clock: nodeClock,
    breaker: { service, isOpen: () => false, probe: async () => {} },
    capabilities: createCapabilities(config, ledger),
    identity: createIdentity(config, ledger),
    placingLimit: createPlacingLimit(nodeClock),
    busy: () => 0,
    offer: () => offerOf(config, new Map()),
  };
}

export function closeDeps(context: Context): CloseByIdDeps & { readonly context: Context } {
  const store = createOrderStore(context);
  return { context, store, restored: createRestored(context, store) };
}

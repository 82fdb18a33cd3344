/** Vendure on SQLite, relay and sandbox together, with customers who pay. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type * as Testing from '../../../relay/testing/index.js';
import type { TestCheckout } from '../../../relay/testing/index.js';
import { createCustomers, type Customers } from '../customers.js';
import { startEventsProxy, type EventsProxy } from '../events-proxy.js';
import { createAdmin, createCustomer, type Customer, type OrderFacts } from './vendure-api.js';
import { ADMIN_PASSWORD, prepareVendure, project, type VendureServer } from './vendure-server.js';

const ORIGIN = 'http://127.0.0.1:4000';
/** Every 3 seconds. A shop runs the task every minute, but the checks wait for it. */
const RECONCILE_SCHEDULE = '*/3 * * * * *';

export type World = Customers & {
  vendure: VendureServer;
  checkout: TestCheckout;
  proxy: EventsProxy;
  /** Vendure's address for events. */
  hook: string;
  /** Lets events be lost from now on, or no more. */
  loseEvents(lost: boolean): void;
  customer(name: string): Customer;
  factsOf(orderId: string): Promise<OrderFacts>;
  /** The reasons of the payments to refund, by the intent. */
  refunds(): Record<string, string>;
  close(): Promise<void>;
};

export async function createWorld(): Promise<World> {
  // imported from the package, as a shop's tests do
  const entry = `${project}node_modules/pay-checkout-relay/dist/relay/testing/index.js`;
  const testing = (await import(entry)) as typeof Testing;
  const folder = mkdtempSync(join(tmpdir(), 'vendure-'));
  const database = join(folder, 'shop.db');
  let hook: string | null = null;
  let isLost = false;
  const proxy = await startEventsProxy(
    () => hook,
    () => isLost,
  );
  const checkout = await testing.startTestCheckout({
    origins: [ORIGIN],
    events_url: proxy.url,
    config: { limits: { per_ip_per_minute: 100_000, new_intents_per_ip_per_hour: 100_000 } },
  });
  const vendure = await prepareVendure({
    DATABASE: database,
    PAY_RELAY: checkout.relay,
    PAY_SECRET_KEY: checkout.secret_key,
    PAY_TOKEN_KEY_ID: checkout.order_token_key.kid,
    PAY_TOKEN_KEY: checkout.order_token_key.secret,
    PAY_EVENTS_SECRET: checkout.events_secret,
    PAY_RECONCILE_SCHEDULE: RECONCILE_SCHEDULE,
  });
  await vendure.start();
  hook = `${vendure.url}/pay-checkout/events`;
  return {
    ...createCustomers(checkout, ORIGIN),
    vendure,
    checkout,
    proxy,
    hook,
    loseEvents: (lost) => void (isLost = lost),
    customer: (name) => createCustomer(`${vendure.url}/shop-api`, `${name}@shop.example`),
    factsOf: await createAdmin(`${vendure.url}/admin-api`, ADMIN_PASSWORD),
    refunds: () => {
      const file = new DatabaseSync(database, { readOnly: true, timeout: 5000 });
      const rows = file.prepare('select intent_id, reason from pay_checkout_refunds').all();
      file.close();
      return Object.fromEntries(rows.map((row) => [String(row.intent_id), String(row.reason)]));
    },
    close: async () => {
      await vendure.kill();
      proxy.close();
      await checkout.close();
      rmSync(folder, { recursive: true });
    },
  };
}

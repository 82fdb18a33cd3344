/** PostgreSQL, Medusa, relay and sandbox together, with customers who pay. */
import type * as Testing from '../../../relay/testing/index.js';
import type { TestCheckout } from '../../../relay/testing/index.js';
import { signOrderToken } from '../../../widget/shop/index.js';
import { freePort } from '../../suite/support/free-port.js';
import { startPostgres } from '../../suite/support/postgres.js';
import { createCustomers, type Customers } from '../customers.js';
import { loses, startEventsProxy, type EventsProxy } from '../events-proxy.js';
import { createApi, type Api } from './medusa-api.js';
import { openFacts, type Facts } from './medusa-facts.js';
import { prepareMedusa, project, signIn, type MedusaServer } from './medusa-server.js';
import { seed, type Catalogue } from './seed.js';
import { createStorefront, type Storefront } from './storefront.js';

const HOOK = '/hooks/payment/pay-checkout_pay-checkout';
/** Every 3 seconds. A shop runs the job every minute, but the checks wait for it. */
const RECONCILE_SCHEDULE = '*/3 * * * * *';

export type World = Customers & {
  medusa: MedusaServer;
  checkout: TestCheckout;
  proxy: EventsProxy;
  facts: Facts;
  catalogue: Catalogue;
  storefront: Storefront;
  admin: Api;
  /** Medusa's address for events. */
  hook: string;
  /** The origin and port of the storefront's page. */
  page: { origin: string; port: number };
  /** Signs a token with the shop's key. */
  sign(jti: string, amount: string): Promise<string>;
  close(): Promise<void>;
};

/** @param lostPercent the share of the events that Medusa never receives */
export async function createWorld(lostPercent: number): Promise<World> {
  // imported from the package, because its relay serves the package's own build of the element
  const entry = `${project}node_modules/pay-checkout-relay/dist/relay/testing/index.js`;
  const testing = (await import(entry)) as typeof Testing;
  const postgres = await startPostgres();
  const database = await postgres.database();
  let hook: string | null = null;
  const proxy = await startEventsProxy(() => hook, loses(lostPercent));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const checkout = await testing.startTestCheckout({
    origins: [origin],
    events_url: proxy.url,
    config: { limits: { per_ip_per_minute: 100_000, new_intents_per_ip_per_hour: 100_000 } },
  });
  const { order_token_key: key, relay } = checkout;
  const medusa = await prepareMedusa({
    DATABASE_URL: database,
    STORE_CORS: origin,
    PAY_RELAY: relay,
    PAY_SECRET_KEY: checkout.secret_key,
    PAY_TOKEN_KEY_ID: key.kid,
    PAY_TOKEN_KEY: key.secret,
    PAY_EVENTS_SECRET: checkout.events_secret,
    PAY_RECONCILE_SCHEDULE: RECONCILE_SCHEDULE,
  });
  await medusa.start();
  hook = medusa.url + HOOK;
  const token = await signIn(medusa.url);
  const catalogue = await seed(medusa.url, token);
  const facts = await openFacts(database);

  return {
    ...createCustomers(checkout, origin),
    medusa,
    checkout,
    proxy,
    facts,
    catalogue,
    hook,
    page: { origin, port },
    storefront: createStorefront(medusa.url, catalogue),
    admin: createApi(medusa.url, { authorization: `Bearer ${token}` }),
    sign: (jti, amount) =>
      signOrderToken(
        {
          aud: relay,
          jti,
          amount,
          currency: 'USD',
          product_name: 'A lamp',
          customer_ref_id: 'customer-42',
        },
        key,
      ),
    close: async () => {
      await facts.close();
      await medusa.kill();
      proxy.close();
      await checkout.close();
      await postgres.stop();
    },
  };
}

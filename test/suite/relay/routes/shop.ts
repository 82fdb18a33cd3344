/** A shop's backend beside a relay in the same process, with a ledger of one of two kinds. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { LoadRender } from '../../../../relay/contract/render.js';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import type { Clock } from '../../../../relay/runtime.js';
import { bearer, createWorld, type World } from '../../support/world.js';

/** An event as the shop receives it. */
export type ReceivedEvent = { id: string; type: string; data: Record<string, unknown> };

export const ledgers: Record<string, (folder: string) => Promise<Ledger>> = {
  memory: async () => memoryLedger(),
  sqlite: (folder) => openLedger(`sqlite:${join(folder, `${crypto.randomUUID()}.db`)}`),
};

export type Shop = Awaited<ReturnType<typeof createShop>>;

type Options = {
  ledger?: Ledger;
  sandbox?: World['sandbox'];
  config?: Partial<ConfigFile>;
  unpaidAfterS?: number;
  clock?: Omit<Clock, 'elapsed'> & Partial<Clock>;
  loadRender?: LoadRender;
};

export async function createShop({
  clock,
  config,
  ledger,
  loadRender,
  sandbox,
  unpaidAfterS,
}: Options = {}) {
  const received: ReceivedEvent[] = [];
  const world: World = createWorld({
    ...(ledger && { ledger }),
    ...(loadRender && { loadRender }),
    ...(sandbox && { sandbox }),
    ...(clock && { clock }),
    config: {
      shop_events: {
        url: 'https://shop.example/hooks',
        secret: { env: 'SECRET' },
        ...(unpaidAfterS !== undefined && { unpaid_after_s: unpaidAfterS }),
      },
      ...config,
    },
    shopFetch: async (_url, init) => {
      const { data, type } = JSON.parse(String(init.body)) as Omit<ReceivedEvent, 'id'>;
      received.push({ id: new Headers(init.headers).get('webhook-id') ?? '', type, data });
      return new Response();
    },
  });
  const ask = (path: string, body: unknown): ReturnType<World['ask']> =>
    world.ask(path, body, bearer);
  /** Signs a token for a sale of 12.50 USD. */
  const token = async (jti: string, claims: Record<string, unknown> = {}): Promise<string> => {
    const sale = { amount: '12.50', currency: 'USD', product_name: 'A tree' };
    const { body } = await ask('/v1/order-tokens', {
      ...sale,
      customer_ref_id: 'c-1',
      jti,
      ...claims,
    });
    assert.equal(typeof body.order_token, 'string', JSON.stringify(body));
    return body.order_token as string;
  };
  const pay = async (jti: string, claims: Record<string, unknown> = {}) =>
    world.ask('/v1/pay', {
      order_token: await token(jti, claims),
      attempt: crypto.randomUUID(),
      option: 'qr',
    });
  const query = (intent_id: string, expect?: Record<string, unknown>) =>
    ask('/v1/query', { intent_id, ...(expect && { expect }) });
  /** The customer pays an order, and the service sends its webhook to the relay. */
  const customerPays = async (request_id: string): Promise<void> => {
    const order = world.sandbox.orders.byRequest(request_id);
    assert.ok(order);
    world.sandbox.orders.setStatus(order, 20);
  };
  /** Runs one tick; returns the types of all events received so far, by their sequence. */
  const receivedTypes = async (): Promise<string[]> => {
    await world.relay.tick();
    received.sort((one, other) => Number(one.data.sequence) - Number(other.data.sequence));
    return received.map(({ type }) => type);
  };
  return { world, received, ask, token, pay, query, customerPays, receivedTypes };
}

export const codeOf = (answer: { body: Record<string, unknown> }): string | undefined =>
  (answer.body.error as { code?: string } | undefined)?.code;

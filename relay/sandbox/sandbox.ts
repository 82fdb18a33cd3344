/**
 * The sandbox: a simulated order service that checks requests strictly against the document, with
 * orders that change their status and faults on demand.
 */
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { answer, ConnectionCut } from './answer.js';
import { createAddresses } from './deposit-addresses.js';
import { createFaults, faults as knownFaults } from './faults.js';
import { isOperation, readFields, type OperationName } from './fields.js';
import { defaultLinks, type LinkKind } from './links.js';
import { operations, type World } from './operations.js';
import { actions, createOrders, type Action, type SandboxOrder, type Statuses } from './orders.js';
import { donePage, orderPage, pageKinds } from './pages/order-pages.js';
import { phoneOrders, phonePage, version } from './pages/phone.js';

/** The sandbox's own result codes; the document lists no code of a failure. */
const CODES = { invalid: '4000', notFound: '4040' } as const;

const MAX_BODY_BYTES = 262_144;

export type SandboxOptions = {
  /** The base URL of the pages in a browser; a server that mounts the sandbox strips its path. */
  publicUrl: string | (() => string);
  /** Sends the webhooks to notify_url. */
  notify?: (url: string, init: RequestInit) => Promise<unknown>;
  deduplicate?: boolean;
  /** The payee's name, as banks show it. */
  merchantName?: string;
  links?: Record<string, LinkKind>;
  statuses?: Statuses;
  /** Whether the phone that sends the request shows the order; by default it shows all. */
  isOnPhone?: (order: SandboxOrder, request: Request) => boolean;
};

type Call = { operation: string; body: unknown; at: string };
export type Sandbox = {
  /** @throws ConnectionCut when a fault cuts the connection */
  fetch(request: Request): Promise<Response>;
  readonly orders: World['orders'];
  readonly calls: Call[];
  readonly faults: ReturnType<typeof createFaults>;
};

const isAction = (value: unknown): value is Action => actions.some((action) => action === value);

export function createSandbox({
  publicUrl,
  notify = (url, init) => fetch(url, init),
  deduplicate = false,
  // the name that `init` gives to the shop of a new configuration
  merchantName = 'My shop',
  links,
  statuses,
  isOnPhone = () => true,
}: SandboxOptions): Sandbox {
  const calls: Call[] = [];
  const faults = createFaults();
  const sendWebhook = (order: SandboxOrder): void => {
    const url = order.fields.notify_url;
    const body = JSON.stringify({
      request_id: order.request_id,
      order_no: order.order_no,
      status: order.status,
    });
    if (url)
      void notify(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }).catch(() => {});
  };
  const orders = createOrders(sendWebhook, deduplicate, statuses);
  const world: World = {
    orders,
    addresses: createAddresses(),
    links: { ...defaultLinks, ...links },
    merchantName,
    publicUrl: () => (typeof publicUrl === 'string' ? publicUrl : publicUrl()).replace(/\/$/, ''),
  };

  const run = (
    name: OperationName,
    body: unknown,
  ): { code: string; message: string; data?: Record<string, unknown> } => {
    const read = readFields(name, body);
    if ('wrong' in read) return { code: CODES.invalid, message: read.wrong };
    const result = operations[name](world, read.fields);
    return 'notFound' in result
      ? { code: CODES.notFound, message: 'no such order' }
      : { code: '200', message: 'success', data: result.data };
  };

  const withOrder = (
    order: SandboxOrder | undefined,
    c: Context,
    work: (order: SandboxOrder) => Response | Promise<Response>,
  ): Response | Promise<Response> => (order ? work(order) : c.text('no such order', 404));
  const ordersOnPhone = (c: Context): World['orders'] => ({
    ...orders,
    all: () => orders.all().filter((order) => isOnPhone(order, c.req.raw)),
  });
  const formAction = async (c: Context): Promise<unknown> => (await c.req.parseBody()).action;

  const app = new Hono()
    .use(bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.text('too long', 413) }))
    .post('/v1/order/:operation', async (c) => {
      const name = c.req.param('operation');
      if (!isOperation(name)) return c.notFound();
      const body: unknown = await c.req.json().catch(() => undefined);
      calls.push({ operation: name, body, at: new Date().toISOString() });
      return answer({
        effect: () => run(name, body),
        numeric: name === 'deposit_address',
        fault: faults.take(name),
        signal: c.req.raw.signal,
      });
    })
    .get('/', (c) => c.redirect('phone'))
    .get('/phone', (c) => c.html(phonePage(ordersOnPhone(c), merchantName)))
    .get('/phone/orders', (c) => {
      const shown = ordersOnPhone(c);
      return c.html(phoneOrders(shown, merchantName), 200, { 'x-version': version(shown) });
    })
    .post('/phone/orders/:order_no', async (c) => {
      const action = await formAction(c);
      const number = c.req.param('order_no');
      const order = ordersOnPhone(c)
        .all()
        .find(({ order_no }) => order_no === number);
      return withOrder(order, c, (order) => {
        if (isAction(action)) orders.press(order, action);
        return c.redirect('../../phone', 303);
      });
    })
    .get('/done', (c) => c.html(donePage()))
    .get('/control/faults', (c) => c.json({ active: faults.active, known: knownFaults }))
    .post('/control/faults', async (c) => {
      const added = faults.add(await c.req.json());
      return c.json(added, 'wrong' in added ? 400 : 200);
    })
    .post('/control/chaos', async (c) => {
      const { rate, seed } = await c.req.json<{ rate?: unknown; seed?: unknown }>();
      faults.chaos(Number(rate), Number(seed ?? 1));
      return c.json({ rate, seed });
    })
    .delete('/control/faults', (c) => {
      faults.clear();
      return c.json({ active: [] });
    })
    .get('/control/links', (c) => c.json(world.links))
    .post('/control/links', async (c) =>
      c.json(Object.assign(world.links, await c.req.json<Record<string, LinkKind>>())),
    )
    .get('/control/orders', (c) => c.json(orders.all()))
    .post('/control/orders/:request_id', async (c) => {
      const { action, status } = await c.req.json<{ action?: unknown; status?: unknown }>();
      return withOrder(orders.byRequest(c.req.param('request_id')), c, (order) => {
        if (isAction(action)) orders.act(order, action);
        else if (Number.isInteger(status)) orders.setStatus(order, Number(status));
        else
          return c.json(
            { wrong: `action: expected one of ${actions.join(', ')}, or a status` },
            400,
          );
        return c.json(order);
      });
    })
    .get('/control/calls', (c) => c.json(calls))
    .delete('/control/calls', (c) => {
      calls.length = 0;
      return c.json(calls);
    })
    .post('/control/reset', (c) => {
      calls.length = 0;
      faults.clear();
      orders.clear();
      return c.json({});
    })
    .onError((error) => {
      throw error;
    });

  for (const kind of pageKinds) {
    app.get(`/${kind}/:order_no`, (c) =>
      withOrder(orders.byNumber(c.req.param('order_no')), c, (order) =>
        c.html(orderPage(kind, order, merchantName)),
      ),
    );
    app.post(`/${kind}/:order_no`, async (c) => {
      const action = await formAction(c);
      return withOrder(orders.byNumber(c.req.param('order_no')), c, (order) => {
        if (isAction(action)) orders.press(order, action);
        return c.redirect(order.fields.return_url ?? `${world.publicUrl()}/done`, 303);
      });
    });
  }

  return { fetch: async (request) => app.fetch(request), orders, calls, faults };
}

export { ConnectionCut };

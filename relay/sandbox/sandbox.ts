/**
 * The sandbox: a simulated order service that checks requests strictly against the document, with
 * orders that change their status and faults on demand.
 */
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { readBounded } from '../http/body.js';
import { answer, ConnectionCut } from './answer.js';
import { createAddresses } from './deposit-addresses.js';
import { readBody } from './control-body.js';
import { chaosBody, createFaults, faults as knownFaults } from './faults.js';
import { isOperation, readFields, type OperationName } from './fields.js';
import { defaultLinks, linksBody, type LinkKind } from './links.js';
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
  notify?: ((url: string, init: RequestInit) => Promise<unknown>) | undefined;
  deduplicate?: boolean | undefined;
  /** The payee's name, as banks show it. */
  merchantName?: string | undefined;
  links?: Record<string, LinkKind> | undefined;
  statuses?: Statuses | undefined;
  /** Whether the phone that sends the request shows the order; by default it shows all. */
  isOnPhone?: ((order: SandboxOrder, request: Request) => boolean) | undefined;
};

type Call = { operation: string; body: unknown; at: string };
export type Sandbox = {
  /** @throws ConnectionCut when a fault cuts the connection */
  fetch(request: Request): Promise<Response>;
  readonly orders: World['orders'];
  readonly calls: Call[];
  readonly faults: ReturnType<typeof createFaults>;
};

const actionBody = z
  .strictObject({ action: z.enum(actions).optional(), status: z.int().optional() })
  .refine(({ action, status }) => (action === undefined) !== (status === undefined), {
    path: ['action'],
    error: `expected one of ${actions.join(', ')}, or a status instead`,
  });

const isJson = (c: Context): boolean =>
  /^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? '');

/** @returns undefined when the body is not JSON */
const jsonOf = (c: Context): Promise<unknown> => c.req.json().catch(() => undefined);

/** Answers a control call; a body of another form is refused. */
async function withBody<T extends object>(
  c: Context,
  schema: z.ZodType<T>,
  work: (body: T) => Response | Promise<Response>,
): Promise<Response> {
  const body = readBody(schema, await jsonOf(c));
  return 'wrong' in body ? c.json(body, 400) : work(body);
}

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
    const result = 'wrong' in read ? read : operations[name](world, read.fields);
    if ('wrong' in result) return { code: CODES.invalid, message: result.wrong };
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
    .use(async (c, next) => {
      const body = await readBounded(c.req.raw, MAX_BODY_BYTES).catch(() => null);
      if (!body) return c.text('too long', 413);
      const { headers, method, signal, url } = c.req.raw;
      // not from c.req.raw itself: on Node it is no Request that the constructor accepts
      c.req.raw = new Request(url, { headers, method, signal, body: body.length ? body : null });
      return next();
    })
    .post('/v1/order/:operation', async (c) => {
      const name = c.req.param('operation');
      if (!isOperation(name)) return c.notFound();
      const body = await jsonOf(c);
      calls.push({ operation: name, body, at: new Date().toISOString() });
      return answer({
        effect: () =>
          isJson(c) ? run(name, body) : { code: CODES.invalid, message: 'content-type: not JSON' },
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
      const added = faults.add(await jsonOf(c));
      return c.json(added, 'wrong' in added ? 400 : 200);
    })
    .post('/control/chaos', (c) =>
      withBody(c, chaosBody, (chaos) => {
        faults.chaos(chaos.rate, chaos.seed);
        return c.json(chaos);
      }),
    )
    .delete('/control/faults', (c) => {
      faults.clear();
      return c.json({ active: [] });
    })
    .get('/control/links', (c) => c.json(world.links))
    .post('/control/links', (c) =>
      withBody(c, linksBody, (changed) => c.json(Object.assign(world.links, changed))),
    )
    .get('/control/orders', (c) => c.json(orders.all()))
    .post('/control/orders/:request_id', (c) =>
      withBody(c, actionBody, ({ action, status }) =>
        withOrder(orders.byRequest(c.req.param('request_id')), c, (order) => {
          if (action !== undefined) orders.act(order, action);
          if (status !== undefined) orders.setStatus(order, status);
          return c.json(order);
        }),
      ),
    )
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

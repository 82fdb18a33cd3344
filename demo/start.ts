/** Starts the shop with vite, and mounts relay, sandbox and backend on the same port. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { createServer, type Connect, type ViteDevServer } from 'vite';
import { parseConfig } from '../relay/config/parse-config.js';
import { listenOn } from '../relay/node/listener.js';
import { nodeRelay, type NodeRelay } from '../relay/server.js';
import { demoConfig } from './demo-config.js';
import { BASE } from './docs-site/files.js';
import { answer, createSite, type Site } from './docs-site/site.js';
import { sandboxListener } from '../relay/sandbox/serve.js';
import { createSandbox, type Sandbox } from '../relay/sandbox/sandbox.js';
import { phoneOrders } from './phone-orders.js';
import { createShopBackend } from './shop/backend.js';

const root = fileURLToPath(new URL('..', import.meta.url));

export type Demo = {
  url: string;
  sandbox: Sandbox;
  vite: ViteDevServer;
  /** The secret key of the shop's backend at the relay. */
  secretKey: string;
  /** The page of whoever runs the shop, and the key that opens it. */
  console: { url: string; key: string };
  close(): Promise<void>;
};

/** A new secret, so that no two starts of the demo share one. */
const freshSecret = (): string => crypto.randomUUID() + crypto.randomUUID();

/**
 * The element must have been built before.
 *
 * @param port 0 chooses a free port; the console is on the port after it
 */
export async function startDemo(port: number): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'pay-checkout-demo-'));
  const secrets: Record<string, string> = {
    ORDER_TOKEN_KEY: freshSecret(),
    RELAY_SECRET_KEY: freshSecret(),
    // a person types it
    OPERATOR_KEY: freshSecret().slice(0, 13),
  };
  let url = '';
  const running: { relay?: NodeRelay } = {};

  const sandbox = createSandbox({
    publicUrl: () => `${url}/service`,
    merchantName: 'Bean & Leaf',
    // the relay allows this host, so that a phone offers to open the code in its banking app
    links: {
      'direct/qrcode/sbp_qr': 'qrcode_link',
      // in the place of a link of SBP itself, which leads to real banks
      'direct/qrcode/sbp_qr/RUB': 'qrcode_link',
    },
    isOnPhone: ({ request_id }, request) =>
      phoneOrders(request.headers.get('cookie') ?? '').includes(request_id),
  });
  const shop = createShopBackend({
    relayUrl: () => `${url}/pay`,
    publicUrl: () => url,
    secretKey: secrets.RELAY_SECRET_KEY ?? '',
  });
  const relayListener = getRequestListener(
    (request) => running.relay?.fetch(request) ?? new Response(null, { status: 503 }),
    {
      overrideGlobalObjects: false,
    },
  );
  const shopListener = getRequestListener(shop.fetch, { overrideGlobalObjects: false });
  const mount =
    (
      listener: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown,
    ): Connect.SimpleHandleFunction =>
    (incoming, outgoing) =>
      void listener(incoming, outgoing);

  const { NODE_ENV } = process.env;
  const vite = await createServer({
    root: join(root, 'demo'),
    configFile: false,
    publicDir: false,
    cacheDir: join(folder, 'vite'),
    logLevel: 'error',
    appType: 'mpa',
    server: {
      port,
      strictPort: port !== 0,
      host: '127.0.0.1',
      hmr: port !== 0,
      ws: port === 0 ? false : undefined,
      fs: { allow: [root] },
    },
    plugins: [
      {
        name: 'pay-checkout-demo',
        configureServer: ({ middlewares }) => {
          middlewares.use('/pay', mount(relayListener));
          middlewares.use('/service', mount(sandboxListener(sandbox)));
          middlewares.use('/api', mount(shopListener));
          middlewares.use('/docs', mount(docsListener()));
        },
      },
    ],
  });
  // Vite has set it, and a later build of this process would contain Lit's development build
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  await vite.listen();
  const address = vite.httpServer?.address();
  const listening = typeof address === 'object' && address ? address.port : port;
  url = `http://localhost:${listening}`;
  const file = demoConfig({
    serviceUrl: `http://127.0.0.1:${listening}/service`,
    publicUrl: `${url}/pay`,
    origins: [url, `http://127.0.0.1:${listening}`],
    ledger: `sqlite:${join(folder, 'ledger.db')}`,
  });
  const config = parseConfig(file, (reference) =>
    'env' in reference ? secrets[reference.env] : undefined,
  );
  const relay = await nodeRelay(config, {
    log: (level, event, fields) => level === 'error' && console.error(event, fields),
    script: new URL('../dist/pay-checkout.js', import.meta.url),
  });
  running.relay = relay;
  if (!relay.operator) throw new Error('the demo has no operator');
  const operator = await listenOn(relay.operator, { port: port === 0 ? 0 : port + 1 });
  return {
    url,
    sandbox,
    vite,
    secretKey: secrets.RELAY_SECRET_KEY ?? '',
    console: {
      url: `http://localhost:${operator.port}/console`,
      key: secrets.OPERATOR_KEY ?? '',
    },
    close: async () => {
      await vite.close();
      await operator.close();
      await relay.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The sources of the script and the style sheet, which vite compiles for each request. */
const DOCS_ASSETS = { script: '/pages/docs.ts', style: '/style/docs.css', shop: true };

/**
 * Serves the site of the guides.
 *
 * @returns a listener for a mount point whose path the server has removed from `url`
 */
function docsListener(): (request: IncomingMessage, response: ServerResponse) => void {
  let site: Site | undefined;
  return ({ originalUrl, url = '/' }: IncomingMessage & { originalUrl?: string }, response) => {
    if (originalUrl === BASE.slice(0, -1)) {
      response.writeHead(302, { location: BASE }).end();
      return;
    }
    const path = url.replace(/[?#].*/, '').slice(1);
    const found = answer((site ??= createSite()), BASE + path, DOCS_ASSETS);
    response
      .writeHead(found ? 200 : 404, { 'content-type': found?.type ?? 'text/plain' })
      .end(found?.body ?? 'not found');
  };
}

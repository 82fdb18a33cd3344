/**
 * Configures the browser tests. Vite serves them, so they are compiled as the build is; `ENGINE`
 * names the browser engine.
 */
import { fileURLToPath } from 'node:url';

import { defaultReporter, type TestRunnerConfig } from '@web/test-runner';
import { createServer } from 'vite';
import { chosenEngine } from '../../proofs/engines/find.js';
import { launchers } from '../../proofs/engines/launchers.js';
import { totalsReporter } from './totals-reporter.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Where a browser test and what it loads lie. */
const WATCHED = ['relay', 'widget', 'demo', 'test/suite'];
const SOCKET = '/__web-dev-server__web-socket.js';

const isWatching = process.argv.includes('--watch');

const vite = await createServer({
  root,
  configFile: false,
  clearScreen: false,
  appType: 'custom',
  // not the cache of the demo, which has other entries
  cacheDir: 'node_modules/.vite-tests',
  logLevel: 'error',
  // the programs of the guides import the package
  resolve: { alias: [{ find: /^pay-checkout$/, replacement: `${root}widget/index.ts` }] },
  // the runner serves its own command socket
  plugins: [
    {
      name: 'runner-socket',
      enforce: 'pre',
      resolveId: (id) => (id.endsWith(SOCKET) ? { id: SOCKET, external: true } : undefined),
    },
  ],
  optimizeDeps: {
    // A package that Vite finds later changes the addresses of those that pages have loaded. The
    // former addresses then fail in every file of tests that follows.
    noDiscovery: true,
    include: [
      'qrcode/lib/core/qrcode.js',
      'lit',
      'lit/decorators.js',
      'lit/directives/keyed.js',
      'zod',
      'hono',
      'hono/html',
      'hono/utils/url',
      'ipaddr.js',
      'jose',
      'jsqr',
      'react',
      'react-dom/client',
      '@noble/hashes/hmac.js',
      '@noble/hashes/sha2.js',
      '@noble/hashes/sha3.js',
      '@open-wc/testing',
      '@scure/base',
      '@web/test-runner-commands',
      'fast-check',
    ],
    rolldownOptions: { external: [SOCKET] },
  },
  server: {
    middlewareMode: true,
    hmr: false,
    ws: false,
    watch: null,
    // each file of tests loads the same modules; without this, it asks for each of them again
    ...(!isWatching && { headers: { 'Cache-Control': 'max-age=3600' } }),
  },
});

const launcher = await launchers[chosenEngine()]();

export default {
  rootDir: root,
  files: [`${root}test/suite/**/*.browser.test.ts`],
  nodeResolve: false,
  // one page at a time: browsers slow down pages in the background, and tests then time out
  concurrency: 1,
  testsStartTimeout: 60_000,
  testFramework: { config: { timeout: 120_000 } },
  browsers: [launcher],
  reporters: [isWatching ? defaultReporter() : totalsReporter()],
  plugins: [
    {
      name: 'vite',
      // the runner watches only the files that it serves itself
      serverStart: ({ fileWatcher }) => {
        if (!isWatching) return;
        fileWatcher.add(WATCHED.map((folder) => root + folder));
        fileWatcher.on('change', () => vite.moduleGraph.invalidateAll());
      },
      serverStop: () => vite.close(),
    },
  ],
  middleware: [
    async (context, next) => {
      if (context.path === '/' || /^\/__(web|wds)-/.test(context.path)) return next();
      await new Promise<void>((resolve, reject) => {
        const done = (): void => resolve();
        context.res.once('close', done);
        context.respond = false;
        context.res.statusCode = 200;
        vite.middlewares(context.req, context.res, (error?: unknown) => {
          context.res.off('close', done);
          context.respond = true;
          context.res.statusCode = 404;
          if (error) reject(error instanceof Error ? error : new Error(String(error)));
          else next().then(resolve, reject);
        });
      });
    },
  ],
} satisfies TestRunnerConfig;

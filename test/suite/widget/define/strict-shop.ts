/**
 * A shop on an origin of its own whose pages have a strict content security policy, and a browser
 * that collects every violation: of the policy, of Trusted Types and of subresource integrity.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { startTestCheckout, type TestCheckout } from '../../../../relay/testing/index.js';
import { launchBrowser } from '../../support/browser.js';
import { RELAY_COMMAND } from '../../support/relay-command.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
/** The element shows a picture over https only; the browser answers it here. */
const LOGO = 'https://shop.example/logo.svg';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
const GUIDE = `${root}docs/guides/content-security-policy.md`;

/** The policies of the guide, by the heading above them. */
export type PolicyName =
  | 'By host'
  | 'By hash'
  | 'With the script behind the tag'
  | 'From your own host'
  | 'Rendered on the server';

export type StrictPage = {
  policy: PolicyName;
  /** By default the script tag with its integrity. */
  head?: string;
  body: string;
  lang?: string;
  /** The hashes that the policy “By hash” names; by default that of the relay's script. */
  hashes?: readonly string[];
  options?: BrowserContextOptions;
  /** Called before the page is opened. */
  prepare?(context: BrowserContext): Promise<void>;
};

export type Visit = {
  page: Page;
  /** What was violated so far, on every page of this browser. */
  violations: string[];
  /** The addresses that were requested so far. */
  requests: string[];
  close(): Promise<void>;
};
export type StrictShop = {
  url: string;
  checkout: TestCheckout;
  /** The script tag with its integrity, as `pay-checkout-relay sri` prints it. */
  scriptTag: string;
  /** What browsers have sent to the address that the policies name for reports. */
  reports: string[];
  /** Serves a script on the origin of the shop's pages. */
  serveScript(path: string, script: string): void;
  /** Serves a page under a policy of the guide, and opens it. */
  visit(page: StrictPage): Promise<Visit>;
  close(): Promise<void>;
};

const IN_CONSOLE = /Content Security Policy|Trusted ?Type|TrustedHTML|integrity|^violation: /i;

/** Writes each violation into the console: the rule, and the address that broke it. */
const WATCH = `
  addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) =>
    console.error('violation: ' + effectiveDirective + ' ' + blockedURI));
  addEventListener('error', ({ target }) => {
    if (target !== window) console.error('violation: not loaded ' + (target.src ?? target.href));
  }, true);
`;

/** @returns the lines of the guide below a heading, as one header */
function policyOf(name: PolicyName): string {
  const section = readFileSync(GUIDE, 'utf8').split(`## ${name}\n`)[1] ?? '';
  const header = /```http\ncontent-security-policy:([\s\S]*?)```/.exec(section)?.[1];
  if (header === undefined) throw new Error(`the guide has no policy ${name}`);
  return header.replace(/\s+/g, ' ').trim();
}

/** @returns the hash in a script tag */
export function hashOf(tag: string): string {
  const hash = /integrity="([^"]+)"/.exec(tag)?.[1];
  if (hash === undefined) throw new Error(`no hash in ${tag}`);
  return hash;
}

function sri(relay: string): string {
  const args = [...RELAY_COMMAND, 'sri'];
  const printed = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  const [tag = ''] = printed.split('\n');
  return tag.replace('src="', `src="${relay}`);
}

type Served = { headers: Record<string, string>; body: string };

/** The element must have been built before. */
export async function openStrictShop(config: Partial<ConfigFile>): Promise<StrictShop> {
  const served = new Map<string, Served>();
  const reports: string[] = [];
  const server = serve(served, reports);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const [checkout, browser]: [TestCheckout, Browser] = await Promise.all([
    startTestCheckout({
      origins: [url],
      config: {
        ...config,
        shop: {
          name: 'Shop',
          origins: [url],
          return_hosts: ['localhost'],
          logo_url: LOGO,
          image_hosts: [new URL(LOGO).hostname],
        },
      },
    }),
    launchBrowser(),
  ]);
  const scriptTag = sri(checkout.relay);
  const reportTo = `; report-uri ${url}/reports`;
  const headerOf = (policy: PolicyName, hashes: readonly string[]): string =>
    policyOf(policy)
      .replaceAll('https://shop.example/pay/', `${checkout.relay}/`)
      .replaceAll('https://shop.example/assets/', `${url}/assets/`)
      .replaceAll("'sha384-…'", hashes.map((hash) => `'${hash}'`).join(' ')) + reportTo;
  return {
    url,
    checkout,
    scriptTag,
    reports,
    serveScript: (path, script) => {
      served.set(path, { headers: { 'content-type': 'text/javascript' }, body: script });
    },
    visit: async ({
      body,
      hashes = [hashOf(scriptTag)],
      head = scriptTag,
      lang = 'en',
      options,
      policy,
      prepare,
    }) => {
      const path = `/page-${served.size}`;
      served.set(path, {
        headers: { 'content-security-policy': headerOf(policy, hashes) },
        body: `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>Shop</title>
          ${head}</head><body>${body}</body></html>`,
      });
      const context = await browser.newContext({
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
      });
      const violations: string[] = [];
      context.on('console', (message) => {
        if (IN_CONSOLE.test(message.text())) violations.push(message.text());
      });
      await context.addInitScript(WATCH);
      await context.route(LOGO, (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body: SVG }),
      );
      // the relay's own pages report to the same place
      await context.route(/\/(r|p\/[a-z0-9]+)$/, async (route) => {
        const response = await route.fetch();
        const own = response.headers()['content-security-policy'] ?? '';
        const headers = { ...response.headers(), 'content-security-policy': own + reportTo };
        await route.fulfill({ response, headers });
      });
      const requests: string[] = [];
      context.on('request', (request) => requests.push(request.url()));
      await prepare?.(context);
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(url + path);
      return { page, violations, requests, close: () => context.close() };
    },
    close: async () => {
      await browser.close();
      await checkout.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

function serve(files: ReadonlyMap<string, Served>, reports: string[]): Server {
  return createServer((request, response) => {
    if (request.method === 'POST') {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        reports.push(body);
        response.writeHead(204).end();
      });
      return;
    }
    const file = files.get((request.url ?? '').replace(/[?#].*/, ''));
    const headers = { 'content-type': 'text/html; charset=utf-8', ...file?.headers };
    response.writeHead(file ? 200 : 404, headers).end(file?.body);
  });
}

/**
 * Hostile links in a real browser. The service sends them through the relay, or a relay that does
 * not check links sends them. The element renders and opens none of them.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../suite/support/browser.js';
import { buildWidget } from '../suite/support/built-widget.js';
import { createWorld, testConfig, type World } from '../suite/support/world.js';
import { en } from '../../widget/texts/en.js';
import { hostileUrls } from './hostile-urls.js';
import { root } from './processes.js';
import { counts, keepAlive, percentage, type Proof } from './proof.js';

const HONEST = 'https://service.example/pay/1';
const PAGE = '<!doctype html><meta charset="utf-8"><script src="/pay-checkout.js"></script><body>';

/** True for a link that the widget must refuse by itself: it checks schemes, but not hosts. */
const isNotHttps = (url: string): boolean => !/^\s*h\s*t\s*t\s*p\s*s:/i.test(url);

/**
 * Runs one checkout, then clicks every link in it.
 * @returns the phase of the checkout, and the addresses of the links
 */
const checkOut = (page: Page): Promise<{ phase: string; hrefs: string[] }> =>
  page.evaluate(async () => {
    const element = document.createElement('pay-checkout');
    for (const [name, value] of Object.entries({
      relay: '/pay',
      amount: '12.50',
      currency: 'USD',
      'product-name': 'A tree',
    }))
      element.setAttribute(name, value);
    localStorage.clear();
    sessionStorage.clear();
    document.body.append(element);
    const until = async (holds: () => boolean): Promise<void> => {
      for (const end = Date.now() + 10_000; !holds() && Date.now() < end;)
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const find = (selector: string): HTMLElement | null =>
      element.shadowRoot?.querySelector<HTMLElement>(selector) ?? null;
    await until(() => element.getAttribute('phase') === 'choosing');
    find('[data-option="card"]')?.click();
    await new Promise(requestAnimationFrame);
    find('[data-action="pay"]')?.click();
    await until(() => !['choosing', 'submitting'].includes(element.getAttribute('phase') ?? ''));
    await new Promise(requestAnimationFrame);
    const links = [
      ...(element.shadowRoot?.querySelectorAll<HTMLElement>(
        'a[href], form, iframe, object, embed, img',
      ) ?? []),
    ];
    const hrefs = links.map((link) => link.getAttribute('href') ?? link.outerHTML);
    for (const link of links) link.click();
    const phase = element.getAttribute('phase') ?? '';
    element.remove();
    return { phase, hrefs };
  });

export const links: Proof = {
  sizes: { urls: 200 },
  small: { urls: 60 },
  run: ({ urls = 0 }) =>
    keepAlive(async () => {
      buildWidget();
      const script = readFileSync(`${root}dist/pay-checkout.js`, 'utf8');
      const world: World = createWorld({
        config: {
          options: [{ id: 'card', label: 'Card', payment_method: 'on_line' }],
          service: { ...testConfig.service, timeout_ms: 5000 },
        },
      });
      const server = createAdaptorServer({
        overrideGlobalObjects: false,
        fetch: async (request) => {
          const { pathname } = new URL(request.url);
          if (pathname === '/')
            return new Response(PAGE, { headers: { 'content-type': 'text/html' } });
          if (pathname === '/pay-checkout.js')
            return new Response(script, { headers: { 'content-type': 'text/javascript' } });
          if (pathname.includes('/locales/')) return Response.json({ locale: 'en', ...en });
          const headers = { 'content-type': 'application/json' };
          return world.relay.fetch(
            new Request(`https://shop.example${pathname.replace('/pay', '')}`, {
              method: request.method,
              headers,
              body: await request.text(),
            }),
          );
        },
      });
      await new Promise<void>((resolve) => server.listen(0, () => resolve()));
      const browser = await launchBrowser();
      const context = await browser.newContext();
      const page = await context.newPage();
      let opened = 0;
      const home = `http://localhost:${(server.address() as AddressInfo).port}/`;
      const count = { relay: 0, widget: 0, honest: 0, rendered: 0 };
      let example = '';
      // the compiler wraps named functions in a helper that the page does not have
      await page.addInitScript('globalThis.__name = (value) => value');
      await page.goto(home);
      context.on('page', (popup) => {
        opened++;
        void popup.close();
      });
      page.on('dialog', (dialog) => {
        opened++;
        void dialog.dismiss();
      });
      page.on('framenavigated', () => opened++);
      const judge = (url: string, hrefs: readonly string[]): void => {
        if (hrefs.length === 0) return;
        count.rendered++;
        example ||= `${JSON.stringify(url)} as ${hrefs.join()}`;
      };
      let leftPage = false;
      /** A link that navigates the page away ends the script that clicked it, and so the proof. */
      const tryOut = async (): Promise<readonly string[]> => {
        if (leftPage) return [];
        try {
          return (await checkOut(page)).hrefs;
        } catch (error) {
          leftPage = true;
          opened++;
          example ||= String(error);
          return [];
        }
      };
      for (const url of hostileUrls(urls)) {
        world.sandbox.faults.add({
          operation: 'pay',
          fault: 'hostile_link',
          value: url === '' ? ' ' : url,
        });
        judge(url, await tryOut());
        count.relay++;
      }
      // a relay that forwards any link
      let forwarded = '';
      let wallet = false;
      await page.route('**/v1/pay', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { order: Record<string, unknown> };
        body.order = {
          ...body.order,
          outcome: 'pending',
          next_action: wallet
            ? { kind: 'open_wallet', wallet_url: forwarded }
            : { kind: 'open_page', checkout_url: forwarded },
        };
        await route.fulfill({ response, json: body });
      });
      for (const url of hostileUrls(urls).filter((each) => each !== '' && isNotHttps(each))) {
        forwarded = url;
        wallet = !wallet;
        judge(url, await tryOut());
        count.widget++;
      }
      const hostileOpened = opened;
      // honest links are rendered on the same path, so a widget that refuses every link cannot pass
      const honest = Math.ceil(urls / 2);
      for (let index = 0; index < honest; index++) {
        forwarded = HONEST;
        const hrefs = await tryOut();
        if (hrefs.join() === HONEST) count.honest++;
      }
      const hit = !leftPage && (await page.evaluate(() => '__hit' in window));
      await browser.close();
      server.close();
      const all = count.relay + count.widget;
      return {
        held:
          count.rendered === 0 &&
          hostileOpened === 0 &&
          !hit &&
          count.honest === honest &&
          count.honest >= 0.2 * (all + honest),
        sections: [
          {
            name: 'hostile links',
            figures: counts({ 'through the relay': count.relay, 'to the widget': count.widget }),
          },
          {
            figures: counts({
              rendered: count.rendered,
              opened: hostileOpened,
              'scripts run': Number(hit),
            }),
          },
          {
            figures: [
              { name: 'honest links rendered', value: count.honest, of: honest },
              percentage('acceptance', count.honest, all + honest),
            ],
          },
        ],
        example,
      };
    }),
};

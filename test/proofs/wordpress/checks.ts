/** What must hold in a WordPress shop. Each check returns what went wrong, or null. */
import { setTimeout as sleep } from 'node:timers/promises';
import { payFixtures } from '../../../relay/testing/index.js';
import { launchBrowser } from '../../suite/support/browser.js';
import { pageProblems } from '../../suite/support/page-problems.js';
import { until } from '../../suite/support/wait.js';
import { deliver } from '../events-proxy.js';
import { begin, isPaid, paymentsSent, problemUnlessOnce, type Check } from './facts.js';
import { orderOf, type World } from './world.js';

const BROWSER_MS = 60_000;
const SHOWN_TOKEN = `document.querySelector('pay-checkout').getAttribute('order-token')`;

const untilPaid = (world: World, id: string): Promise<void> =>
  until(() => isPaid(world, id), `the order ${id} to be paid`);

const inBrowser: Check = {
  name: 'a customer pays in a browser, reloads, and the event records the order once',
  run: async (world) => {
    const browser = await launchBrowser();
    const page = await browser.newPage();
    page.setDefaultTimeout(BROWSER_MS);
    const problems = pageProblems(page);
    await page.goto(`${world.site.url}/tee/`);
    const { customerPhone, payWith } = payFixtures({ sandbox: world.checkout.sandbox_url });
    await payWith({ page }, (pay) => pay('sbp'));
    const id = orderOf(String(await page.evaluate(SHOWN_TOKEN)));
    // the same visitor gets a token of the same order, and so the same code
    await page.reload();
    await page.locator('pay-checkout[phase="awaiting_payment"]').waitFor();
    await customerPhone({ page }, (phone) => phone.confirm());
    await page.locator('pay-checkout[phase="succeeded"]').waitFor();
    await untilPaid(world, id);
    await page.reload();
    await page.locator('pay-checkout[phase="succeeded"]').waitFor();
    world.served.push(await page.content());
    await browser.close();
    const [sent] = paymentsSent(world, id);
    return problems[0] ?? problemUnlessOnce(world, id, sent?.id ?? '');
  },
};

const deliveredTwice: Check = {
  name: 'an event that is delivered five times at once, and again, is handled once',
  run: async (world) => {
    const { id, token } = await begin(world);
    const placed = await world.choose(token);
    world.loseEvents(true);
    await world.confirm(placed);
    await until(() => paymentsSent(world, id).length > 0, 'the event to be sent');
    world.loseEvents(false);
    const [sent] = paymentsSent(world, id);
    if (!sent) return 'no event';
    const atOnce = Array.from({ length: 5 }, () => deliver(world.site.hook, sent.event));
    const statuses = [...(await Promise.all(atOnce)), await deliver(world.site.hook, sent.event)];
    if (statuses.some((status) => status !== 204)) return `${statuses}`;
    await world.catchUp();
    return problemUnlessOnce(world, id, sent.id);
  },
};

const retried: Check = {
  name: 'an event that the shop fails to handle is answered 500, and handled at the next try',
  run: async (world) => {
    const { id, token } = await begin(world);
    const placed = await world.choose(token);
    await world.site.php("update_option('accident', 'throws');");
    await world.confirm(placed);
    await until(() => paymentsSent(world, id).length > 0, 'the event to be sent');
    const [sent] = paymentsSent(world, id);
    if (!sent) return 'no event';
    const status = await deliver(world.site.hook, sent.event);
    const early = isPaid(world, id);
    await world.site.php("delete_option('accident');");
    if (status !== 500 || early) return `the answer was ${status}, paid: ${early}`;
    await untilPaid(world, id);
    return problemUnlessOnce(world, id, sent.id);
  },
};

const caughtUp = (accident: string): Check => ({
  name: `events that no delivery brought are read by the task, also when the shop ${accident} one`,
  run: async (world) => {
    world.loseEvents(true);
    const lost: { id: string; eventId: string }[] = [];
    for (const _ of [1, 2]) {
      const { id, token } = await begin(world);
      await world.confirm(await world.choose(token));
      await until(() => paymentsSent(world, id).length > 0, 'the event to be sent');
      lost.push({ id, eventId: paymentsSent(world, id)[0]?.id ?? '' });
    }
    const problems = (): (string | null)[] =>
      lost.map(({ eventId, id }) => problemUnlessOnce(world, id, eventId));
    await world.site.php(`update_option('accident', '${accident} ${lost[0]?.eventId}');`);
    // a run that the shop ends does not come to the later event
    await world.catchUp();
    await world.catchUp();
    await world.site.php("delete_option('accident');");
    const [first, second = null] = problems();
    if (first === null || second !== null) return `while one fails: ${first}, ${second}`;
    await world.catchUp();
    await world.catchUp();
    world.loseEvents(false);
    return problems().find((problem) => problem !== null) ?? null;
  },
});

const twoVisitors: Check = {
  name: 'two visitors have tokens of two orders, one visitor of one, and no cache keeps a page',
  run: async (world) => {
    const first = await world.visit('/tee/');
    const second = await world.visit('/tee/');
    // a token has the second in which it was signed
    await sleep(1100);
    const again = await world.visit('/tee/?amount=0.01&product=free', first.cookie);
    const ids = [first, second, again].map(({ token }) => orderOf(token));
    if (ids[0] === ids[1] || ids[0] !== ids[2]) return `${ids}`;
    if (first.token === again.token) return 'the page was kept';
    const amounts = world.sql(`select distinct amount from shop_orders`);
    if (amounts !== '19.90') return amounts;
    if (!first.body.includes('<!-- not cached -->')) return 'DONOTCACHEPAGE is not defined';
    const stored = first.headers.get('cache-control');
    return stored === 'no-store, private' ? null : `cache-control: ${stored}`;
  },
};

const twoTabs: Check = {
  name: 'a visitor who opens several tabs at once has one order',
  run: async (world) => {
    const cookie = `pay_checkout_visitor=${crypto.randomUUID().replaceAll('-', '')}`;
    const visits = await Promise.all([1, 2, 3, 4].map(() => world.visit('/tee/', cookie)));
    const ids = new Set(visits.map(({ token }) => orderOf(token)));
    return ids.size === 1 ? null : [...ids].join(' ');
  },
};

const elsewhere: Check = {
  name: 'a feed and the REST API show no token, and make no order',
  run: async (world) => {
    const before = world.sql('select count(*) from shop_orders');
    const visits = await Promise.all(
      [
        '/wp-json/wp/v2/pages',
        '/tee/feed/?withoutcomments=1',
        '/?s=shirt&feed=rss2',
        '/nowhere',
      ].map((path) => world.visit(path)),
    );
    const shown = visits.filter(({ token }) => token !== null).length;
    const after = world.sql('select count(*) from shop_orders');
    return shown === 0 && before === after ? null : `${shown} tokens, ${before} → ${after} orders`;
  },
};

export const checks: readonly Check[] = [
  inBrowser,
  deliveredTwice,
  retried,
  caughtUp('throws for'),
  caughtUp('exits for'),
  twoVisitors,
  twoTabs,
  elsewhere,
];

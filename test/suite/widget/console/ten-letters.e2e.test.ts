/** The console answers each letter of docs/guides/ten-letters.md in at most three actions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { systemClock } from '../../../../relay/runtime.js';
import { letterShop } from '../../relay/operator/letter-shop.js';
import { createWorld, until } from '../../support/world.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

const guide = readFileSync(
  fileURLToPath(new URL('../../../../docs/guides/ten-letters.md', import.meta.url)),
  'utf8',
);
/** What the guide names of the console for each letter, such as a button, in italics. */
const named = guide
  .split(/^## \d+\. /m)
  .slice(1)
  .map((letter) => {
    const [, text = ''] = /^In the console: ([^]*?)\n\n/m.exec(`${letter}\n\n`) ?? [];
    return [...text.matchAll(/_(.+?)_/g)].map(([, name = '']) => name.replaceAll('\n', ' '));
  });

const MAX_ACTIONS = 3;
const HOUR_MS = 3_600_000;

let aheadMs = 0;
const clock = { now: () => Date.now() + aheadMs, sleep: systemClock.sleep };
const shopFetch = async (): Promise<Response> => new Response('', { status: shopAnswers });
let shopAnswers = 200;
const world = createWorld({
  clock,
  config: {
    shop_events: { url: 'http://127.0.0.1:9/hooks', secret: { env: 'SECRET' } },
    links: { hosts: ['service.example'], schemes: [] },
  },
  shopFetch,
});
const shop = letterShop(world, world.sandbox);

let browser: ConsoleBrowser;
before(async () => {
  browser = await openConsole(world);
});
afterEach(() => browser.closePages());
after(() => browser.close());

/** Whoever answers a letter, and counts what they do. */
type Answering = {
  readonly page: Page;
  click(target: Locator): Promise<void>;
  /** A click on what has this name. */
  press(name: string): Promise<void>;
  /** Fills in a form, field by field, and sends it. */
  send(fields: Readonly<Record<string, string>>, press?: string): Promise<void>;
  says(text: string | RegExp): Promise<void>;
};

/**
 * @param number of the letter in the guide
 * @param work from the page that is there after the sign-in
 */
async function answer(number: number, work: (hand: Answering) => Promise<void>): Promise<void> {
  const page = await browser.signIn();
  page.on('dialog', (dialog) => void dialog.accept());
  let actions = 0;
  const used: string[] = [];
  const button = (name: string): Locator =>
    page.getByRole('button', { name }).or(page.getByRole('link', { name, exact: true }));
  const hand: Answering = {
    page,
    click: async (target) => {
      actions++;
      await target.click();
    },
    press: async (name) => {
      used.push(name);
      await hand.click(button(name));
    },
    send: async (fields, press) => {
      actions++;
      used.push(...Object.keys(fields), ...(press === undefined ? [] : [press]));
      for (const [label, value] of Object.entries(fields))
        await fill(page.getByLabel(new RegExp(`^\\s*${label}\\b`)), value);
      if (press === undefined) await page.keyboard.press('Enter');
      else await button(press).click();
    },
    says: async (text) => {
      used.push(String(text));
      await page.getByRole('main').getByText(text).first().waitFor();
    },
  };
  await work(hand);
  assert.ok(actions <= MAX_ACTIONS, `${actions} actions`);
  const names = named[number - 1] ?? [];
  assert.ok(names.length > 0, 'the guide names nothing of the console');
  for (const name of names)
    assert.ok(
      used.some((each) => each.includes(name)),
      `the guide names ${name}, which is not used`,
    );
}

async function fill(field: Locator, value: string): Promise<void> {
  const type = await field.evaluate((element) => element.localName);
  if (type === 'select') await field.selectOption(value);
  else if ((await field.getAttribute('type')) === 'checkbox') await field.check();
  else await field.fill(value);
}

describe('the console', () => {
  it('answers “I paid, and the page says that the code expired”', async () => {
    const id = await shop.pay('order-expired', 'c-expired');
    await shop.seen(id, 40, 'expired');
    shop.statusOf(id, 20);
    await answer(1, async (hand) => {
      await hand.send({ Find: 'c-expired' });
      await hand.press(id);
      await hand.press('Check now');
      await hand.says('The service says status 20.');
      // or the relay has just asked by itself
      await hand.says('status 20, succeeded, late');
    });
  });

  it('answers “I paid twice”', async () => {
    const first = await shop.pay('order-twice', 'c-twice');
    const second = await shop.pay('order-twice', 'c-twice', first);
    await shop.seen(first, 20, 'succeeded');
    await shop.seen(second, 20, 'succeeded');
    await answer(2, async (hand) => {
      await hand.send({ Find: second });
      await hand.press(second);
      await hand.says('a second payment');
    });
  });

  it('answers “I was charged another amount”', async () => {
    world.sandbox.faults.add({ operation: 'pay', fault: 'wrong_amount' });
    const id = await shop.pay('order-amount', 'c-amount');
    await answer(3, async (hand) => {
      await hand.press('To do');
      await hand.press(`Decide: ${id}`);
      await hand.says('Difference');
      await hand.send({ Decision: 'failed', Why: 'given back' }, 'Decide');
      await hand.says('The order failed.');
    });
    assert.equal(await shop.outcome(id), 'failed');
  });

  it('answers “Where is my payment? My bank says that it was sent”', async () => {
    const id = await shop.pay('order-bank', 'c-bank');
    await answer(4, async (hand) => {
      await hand.send({ Find: 'c-bank' });
      await hand.press(id);
      await hand.press('Check now');
      await hand.says('Nothing changed.');
      await hand.says('Asked next');
    });
  });

  it('answers “The shop never got it”', async () => {
    shopAnswers = 500;
    const id = await shop.pay('order-untold', 'c-untold');
    await shop.seen(id, 20, 'succeeded');
    await until(async () => {
      await world.relay.tick();
      return (await world.ledger.undelivered()).some(({ tries }) => tries > 0);
    }, 'a failed delivery');
    await answer(6, async (hand) => {
      await hand.press('Events');
      await hand.send({ 'Not delivered': 'yes' }, 'Filter');
      await hand.says('HTTP 500');
      await hand.press('Send all that were not delivered again');
      await hand.says('will be delivered again');
    });
    shopAnswers = 200;
    await shop.allDelivered();
  });

  it('answers “Who switched this way to pay off?”', async () => {
    const { call, signIn } = browser.relay;
    await call('options/off', { id: 'wallet' }, await signIn());
    await answer(7, async (hand) => {
      await hand.press('Options');
      const row = hand.page.getByRole('row', { name: /^wallet / });
      await row.getByText('Ann').waitFor();
      await hand.press('Switch on');
      await hand.says('wallet is offered again.');
    });
  });

  it('answers “Which orders did we have yesterday?”, also when there are many', async () => {
    // more than the page shows at once
    for (let n = 0; n < 60; n++) await shop.pay(`order-of-${n}`, `c-${n}`);
    const day = new Date().toLocaleDateString('sv');
    await answer(8, async (hand) => {
      await hand.press('Orders');
      await hand.send({ From: day, To: day }, 'Filter');
      await hand.says('50 orders');
      const saved = hand.page.waitForEvent('download');
      await hand.press('Save as CSV');
      const rows = readFileSync(await (await saved).path(), 'utf8').split('\r\n');
      for (let n = 0; n < 60; n++)
        assert.equal(rows.filter((row) => row.includes(`,order-of-${n},`)).length, 1);
    });
  });

  it('answers “Delete my data”', async () => {
    const id = await shop.pay('order-erase', 'c-erase');
    await shop.seen(id, 20, 'succeeded');
    await shop.allDelivered();
    await answer(9, async (hand) => {
      await hand.send({ Find: 'c-erase' });
      await hand.press(id);
      await hand.press("Erase this customer's data");
      await hand.says('Erased: 1 purchase,');
    });
    assert.deepEqual(await world.ledger.intentsOfCustomer('c-erase', '', 10), []);
  });

  it('answers “Is it down, or is it us?”', async () => {
    await answer(10, async (hand) => {
      await hand.press('Today');
      await hand.says('Order service');
      await hand.says('answers');
      await hand.says('This relay');
    });
  });

  it('answers “The page has said confirming for an hour”', async () => {
    world.sandbox.faults.add({ operation: 'pay', fault: 'cut_after' });
    world.sandbox.faults.add({ operation: 'query', fault: 'cut_before', times: 0 });
    const id = await shop.pay('order-confirming', 'c-confirming');
    world.sandbox.faults.clear();
    aheadMs = HOUR_MS + 1;
    await answer(5, async (hand) => {
      await hand.press('To do');
      await hand.press(`Look it up: ${id}`);
      await hand.press('Check now');
      await hand.says('It is pending now.');
    });
  });
});

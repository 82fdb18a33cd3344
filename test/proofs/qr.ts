/**
 * An independent decoder reads QR codes from screenshots of a phone, in both themes. Codes with
 * many bytes are read from the enlarged code.
 */
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import type { Locator, Page } from 'playwright-core';
import { openShop } from '../suite/support/demo-shop.js';
import { states } from '../../demo/element-states.js';
import { en } from '../../widget/texts/en.js';
import { createRandom, percentage, type Random, type Proof } from './proof.js';

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 };
/** Codes with more bytes are enlarged before they are read. */
const LARGE_BYTES = 1000;
const LETTERS =
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:/?=&.-_%АбвгдЖщё漢字'.split('');

const ATTRIBUTES = {
  relay: 'https://r.example',
  amount: '1',
  currency: 'EUR',
  'product-name': 'x',
};

const TEXTS = JSON.stringify({ locale: 'en', ...en });

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** @returns a random text of exactly `bytes` bytes in UTF-8 */
function payload(random: Random, bytes: number): string {
  let text = random.pick(['https://qr.example/', '000201010212', 'ST00012|', '']).slice(0, bytes);
  while (bytesOf(text).length < bytes) text += random.pick(LETTERS);
  while (bytesOf(text).length > bytes) text = text.slice(0, -1);
  return text;
}

/** Shows an order whose QR code has this text. */
async function show(page: Page, text: string): Promise<Locator> {
  const answer = states.awaiting_payment?.answer(Date.now());
  if (!answer || typeof answer === 'string') throw new Error('the state has no answer');
  const body = JSON.parse(JSON.stringify(answer.body)) as { order: { next_action: unknown } };
  body.order.next_action = { kind: 'scan_qr', qrcode_string: text };
  // a script as text: the compiler wraps functions in a helper that the page does not have
  await page.evaluate(`{
    const main = document.querySelector('main');
    main.replaceChildren();
    main.style.display = 'block';
    const element = document.createElement('pay-checkout');
    const attributes = ${JSON.stringify(ATTRIBUTES)};
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    const body = ${JSON.stringify(JSON.stringify(body))};
    const answers = { checkout: body, 'en.json': ${JSON.stringify(TEXTS)} };
    element.fetch = (url) => {
      const answer = answers[url.split('/').at(-1)];
      return answer ? Promise.resolve(new Response(answer)) : new Promise(() => {});
    };
    element.setAttribute('theme', document.body.className);
    main.append(element);
  }`);
  const element = page.locator('pay-checkout[phase="awaiting_payment"]');
  await element.waitFor();
  return element;
}

/** @returns the text of the QR code, or an empty text when the decoder finds none */
async function read(target: Locator): Promise<string> {
  // the code moves for 200 ms when it is enlarged
  const picture = await target.screenshot({ animations: 'disabled' });
  const { data, height, width } = PNG.sync.read(picture);
  const found = jsQR(new Uint8ClampedArray(data), width, height);
  return found ? new TextDecoder().decode(Uint8Array.from(found.binaryData)) : '';
}

export const qr: Proof = {
  sizes: { strings: 200, seed: 1 },
  small: { strings: 10, seed: 1 },
  run: async ({ seed = 1, strings = 0 }) => {
    const random = createRandom(seed);
    const shop = await openShop();
    const count = { read: 0, asked: 0, large: 0 };
    const unread: string[] = [];
    try {
      for (const theme of ['light', 'dark'] as const) {
        const page = await shop.open(`/playground.html?state=loading&still&theme=${theme}`, {
          ...PHONE,
          colorScheme: theme,
        });
        await page.locator('body[data-settled]').waitFor();
        for (let index = 0; index < strings; index++) {
          const large = index % 5 === 4;
          const bytes = large
            ? LARGE_BYTES + random.integer(1001)
            : 10 + random.integer(LARGE_BYTES - 9);
          const text = payload(random, bytes);
          const element = await show(page, text);
          if (large) await element.locator('[data-action="enlarge"]').click();
          const decoded = await read(
            element.locator(large ? 'dialog.large svg' : '[part="qr"] svg.qr'),
          );
          count.asked++;
          if (large) count.large++;
          if (decoded === text) count.read++;
          else unread.push(`${bytes} bytes, ${theme}`);
        }
        await page.context().close();
      }
    } finally {
      await shop.close();
    }
    return {
      held: count.read === count.asked && count.asked === 2 * strings,
      sections: [
        {
          name: 'two themes at 390 px and a device scale of 3',
          figures: [
            { name: 'strings', value: strings },
            { name: 'codes of 1,000 to 2,000 bytes, enlarged', value: count.large },
          ],
        },
        {
          figures: [
            { name: 'read back', value: count.read, of: count.asked },
            { ...percentage('acceptance', count.read, count.asked), bound: 100 },
          ],
        },
      ],
      example: unread.slice(0, 5).join('; '),
    };
  },
};

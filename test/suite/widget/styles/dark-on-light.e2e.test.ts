/** A QR code stays dark on light, whatever repaints the page: wallets read no inverted code. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { qrSvg } from '../../../../relay/pay-links/qr-svg.js';
import { openShop, type Shop } from '../../support/demo-shop.js';
import { rewriteColours } from './rewrite-colours.js';

let shop: Shop;
before(async () => (shop = await openShop()));
afterEach(() => shop.closePages());
after(() => shop.close());

/** Reads a code as the strictest scanners do: only dark modules on a light ground. */
async function read(code: Locator): Promise<string | undefined> {
  const picture = await code.screenshot({ animations: 'disabled' });
  const { data, height, width } = PNG.sync.read(picture);
  const options = { inversionAttempts: 'dontInvert' } as const;
  return jsQR(new Uint8ClampedArray(data), width, height, options)?.data;
}

async function forceDark(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setAutoDarkModeOverride', { enabled: true });
}

type Surroundings = {
  options?: BrowserContextOptions;
  theme?: 'auto' | 'light' | 'dark';
  look?: string;
  repaint?: (page: Page) => Promise<unknown>;
};
const THEMES = ['auto', 'light', 'dark'] as const;
const SURROUNDINGS: Record<string, Surroundings> = {
  ...Object.fromEntries(
    THEMES.flatMap((theme) =>
      (['light', 'dark'] as const).flatMap((colorScheme) => [
        [
          `forced dark, theme ${theme}, system ${colorScheme}`,
          { theme, options: { colorScheme }, repaint: forceDark },
        ],
        [
          `an extension that repaints, theme ${theme}, system ${colorScheme}`,
          { theme, options: { colorScheme }, repaint: rewriteColours },
        ],
        [
          `forced colours, theme ${theme}, system ${colorScheme}`,
          { theme, options: { colorScheme, forcedColors: 'active' } },
        ],
      ]),
    ),
  ),
  ...Object.fromEntries(
    ['ledger', 'harbour', 'signal'].flatMap((look) =>
      (['light', 'dark'] as const).map((theme) => [`${look}, ${theme}`, { look, theme }]),
    ),
  ),
  print: { theme: 'dark', repaint: (page) => page.emulateMedia({ media: 'print' }) },
};

async function openState(state: string, surroundings: Surroundings): Promise<Locator> {
  const { look = 'none', options, repaint, theme = 'auto' } = surroundings;
  const query = new URLSearchParams({ state, still: '', bare: '', theme, look });
  const page = await shop.open(`/playground.html?${query}`, options);
  await page.locator('body[data-settled]').waitFor();
  const element = page.locator('pay-checkout');
  // the playground knows no theme that follows the page
  await element.evaluate((host, value) => host.setAttribute('theme', value), theme);
  await repaint?.(page);
  return element;
}

for (const [where, surroundings] of Object.entries(SURROUNDINGS))
  describe(`under ${where}`, () => {
    it('reads the code of an order, and its enlarged form', async () => {
      const element = await openState('time is running out', surroundings);
      const text = await read(element.locator('[part~="qr"]'));
      assert.match(text ?? 'nothing was read', /^ST00012|^https?:|^0002/);
      if (where === 'print') return;
      await element.locator('[data-action="enlarge"]').click();
      assert.equal(await read(element.locator('dialog.large')), text);
    });

    it('reads the code of a deposit', async () => {
      const element = await openState('showing_deposit_address', surroundings);
      const address = await element.locator('[part~="address"]').getAttribute('data-value');
      const text = await read(element.locator('[part~="qr"]'));
      assert.ok(text?.includes(address ?? 'no address'), text ?? 'nothing was read');
    });
  });

/** The greatest contrast of a pixel to the one in the picture's left middle. */
async function greatestContrast(target: Locator): Promise<number> {
  const { data, height, width } = PNG.sync.read(
    await target.screenshot({ animations: 'disabled' }),
  );
  const luminanceAt = (pixel: number): number => {
    const [red = 0, green = 0, blue = 0] = [...data.subarray(pixel * 4, pixel * 4 + 3)]
      .map((byte) => byte / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const ground = luminanceAt(Math.floor(height / 2) * width + 8);
  let greatest = 1;
  for (let pixel = 0; pixel < width * height; pixel++) {
    const other = luminanceAt(pixel);
    greatest = Math.max(greatest, other / ground, ground / other);
  }
  return greatest;
}

describe('the filled button under forced dark', () => {
  for (const theme of THEMES)
    it(`has a text that can be read, theme ${theme}`, async () => {
      const element = await openState('choosing', { theme, repaint: forceDark });
      const contrast = await greatestContrast(element.locator('[data-action="pay"] .amount'));
      assert.ok(contrast >= 4.5, `is ${contrast}`);
    });
});

describe('the printed receipt', () => {
  it('is dark on white when the shop has dark colours only', async () => {
    const element = await openState('succeeded', { theme: 'dark' });
    await element.page().addStyleTag({
      content: `pay-checkout { --pay-ink: #fff; --pay-muted: #ddd; --pay-paper: #000;
        --pay-tint: #111; --pay-good: #9f9; --pay-link: #fff; --pay-note: #ff9 }`,
    });
    await element.page().emulateMedia({ media: 'print' });
    // This grey has a contrast of 4.5 to white paper.
    const pale = await element.evaluate((host) =>
      [...(host.shadowRoot?.querySelectorAll('.base, .base *') ?? [])]
        .filter((node) => node.getClientRects().length > 0)
        .map((node) => [node.outerHTML.slice(0, 60), getComputedStyle(node).color] as const)
        .filter(([, colour]) =>
          colour
            .match(/\d+/g)
            ?.slice(0, 3)
            .some((part) => +part > 118),
        ),
    );
    assert.deepEqual(pale, []);
  });
});

describe('the picture of a pay link’s code, under forced dark', () => {
  const url = `https://shop.example/pay/p/${'a'.repeat(26)}`;
  const address = `data:image/svg+xml,${encodeURIComponent(qrSvg(url))}`;

  it('is read in a mail or page, and when it is opened', async () => {
    const page = await shop.open('/', { colorScheme: 'dark' });
    await page.goto('about:blank');
    await forceDark(page);
    await page.setContent(`<img width="300" src="${address}">`);
    assert.equal(await read(page.locator('img')), url);
    await page.goto(address);
    assert.equal(await read(page.locator('svg')), url);
  });
});

/** Takes contact sheets of all states, per theme, direction and width, and compares pictures. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import type { Page } from 'playwright-core';
import type { Shop } from '../../support/demo-shop.js';

const folder = fileURLToPath(new URL('../../../../demo/screenshots/states/', import.meta.url));

const DEVICES = [
  { width: 390, touch: false },
  { width: 390, touch: true },
  { width: 1280, touch: false },
];
/** Each theme, direction, width and kind of pointer in which every state is drawn. */
export const variants = ['light', 'dark'].flatMap((theme) =>
  ['en', 'ar'].flatMap((locale) => DEVICES.map((device) => ({ theme, locale, ...device }))),
);
export type Variant = (typeof variants)[number];
export const nameOf = ({ locale, theme, touch, width }: Variant): string =>
  `${theme}-${locale === 'ar' ? 'rtl' : 'ltr'}-${width}${touch ? '-touch' : ''}`;

type Cell = { state: string; x: number; y: number; width: number; height: number };
export type Sheet = { png: PNG; cells: Cell[] };

/** A third of the size still shows the design, and hides small differences between engines. */
const SCALE = 1 / 3;

/** Reports a small screen: the element takes only a small touch screen for a phone. */
const smallScreen = (width: number): void => {
  Object.defineProperty(screen, 'width', { value: width });
};

export async function takeSheet(shop: Shop, variant: Variant): Promise<Sheet> {
  const { locale, theme, touch, width } = variant;
  const columns = width < 600 ? 8 : 3;
  const viewport = { width: columns * (width + 32) + 48, height: 1000 };
  const query = new URLSearchParams({
    state: 'all',
    still: '',
    theme,
    locale,
    width: String(width),
  });
  const page = await shop.open('/about:blank', {
    viewport,
    deviceScaleFactor: SCALE,
    reducedMotion: 'reduce',
    hasTouch: touch,
  });
  if (touch) await page.addInitScript(smallScreen, width);
  await page.goto(`${shop.demo.url}/playground.html?${query}`);
  await page.locator('body[data-settled]').waitFor({ timeout: 60_000 });
  // countdowns differ at every run
  await maskClocks(page);
  const cells = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('figure')].map((figure) => {
      const { height, width, x, y } = figure.getBoundingClientRect();
      return { state: figure.dataset.state ?? '', x, y: y + scrollY, width, height };
    }),
  );
  const png = PNG.sync.read(await page.screenshot({ fullPage: true }));
  await page.context().close();
  return { png, cells };
}

const maskClocks = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const element of document.querySelectorAll('pay-checkout'))
      for (const clock of element.shadowRoot?.querySelectorAll<HTMLElement>('.countdown, .ago') ??
        [])
        clock.style.visibility = 'hidden';
  });

const fileOf = (variant: Variant): string => `${folder}${nameOf(variant)}.png`;

export function storeSheet(variant: Variant, { png }: Sheet): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(variant), PNG.sync.write(png, { colorType: 2, deflateLevel: 9 }));
}

export const storedSheet = (variant: Variant): PNG => PNG.sync.read(readFileSync(fileOf(variant)));

/** @returns the part of a cell's pixels that differ; 1 when a picture is too small for the cell */
export function difference(now: PNG, before: PNG, { height, width, x, y }: Cell): number {
  const crop = (from: PNG): PNG | null => {
    const box = [x, y, width, height].map((value) => Math.round(value * SCALE)) as [
      number,
      number,
      number,
      number,
    ];
    if (box[0] + box[2] > from.width || box[1] + box[3] > from.height) return null;
    const cut = new PNG({ width: box[2], height: box[3] });
    PNG.bitblt(from, cut, box[0], box[1], box[2], box[3], 0, 0);
    return cut;
  };
  const [drawn, stored] = [crop(now), crop(before)];
  if (!drawn || !stored) return 1;
  const { height: rows, width: columns } = drawn;
  const different = pixelmatch(drawn.data, stored.data, undefined, columns, rows, {
    threshold: 0.25,
  });
  return different / (columns * rows);
}

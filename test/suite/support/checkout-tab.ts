/** Steps of the journeys in a tab with a checkout; the same code runs in every engine. */
import { mkdirSync, writeFileSync } from 'node:fs';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import type { Tab, Visitor } from '../../proofs/engines/browser-session.js';
import { chosenEngine } from '../../proofs/engines/find.js';
import { sleep } from './wait.js';

const MAX_WAIT_MS = 60_000;
/** The page’s element, as an expression in the page. */
export const element = `document.querySelector('pay-checkout')`;
/** Describes the page for an error. */
const DESCRIPTION = [
  'location.href',
  `${element}?.getAttribute('phase')`,
  `${element}?.shadowRoot?.textContent`,
].join(" + ' ' + ");
/** An element in its shadow tree, as an expression in the page. */
export const part = (selector: string): string =>
  `${element}?.shadowRoot?.querySelector(${JSON.stringify(selector)})`;
/** Whether no animation moves the card; an endless animation, such as a pulse, does not count. */
const IS_STILL = `${element}.shadowRoot.getAnimations()
  .every(({ effect }) => effect.getTiming().iterations === Infinity)`;
/** How long the element ignores taps after one screen has replaced another. */
const IMPATIENCE_MS = 600;
/** Whether the screen has been there long enough for a tap to count. */
const IS_PATIENT = `(() => {
  const screen = ${element}.shadowRoot.querySelector('.screen');
  screen.seenAt ??= performance.now();
  return performance.now() - screen.seenAt > ${IMPATIENCE_MS};
})()`;
/** Waits until the expression is true; during a navigation it counts as false. */
export async function waitFor(tab: Tab, expression: string): Promise<void> {
  const end = Date.now() + MAX_WAIT_MS;
  while ((await tab.evaluate(`!!(${expression})`).catch(() => false)) !== true) {
    if (Date.now() > end)
      throw new Error(
        `not within ${MAX_WAIT_MS} ms: ${expression}; ${String(await tab.evaluate(DESCRIPTION))}`,
      );
    await sleep(50);
  }
}
/** Waits for a tab that shows a page of this path. */
export async function tabAt(visitor: Visitor, path: string): Promise<Tab> {
  for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end; await sleep(50))
    for (const tab of await visitor.tabs())
      if (await tab.evaluate(`location.pathname.startsWith('${path}')`).catch(() => false))
        return tab;
  throw new Error(`no tab at ${path} within ${MAX_WAIT_MS} ms`);
}
export const inPhase = (tab: Tab, phase: string): Promise<void> =>
  waitFor(tab, `${element}?.getAttribute('phase') === '${phase}'`);

/** Clicks a part of the card once the card no longer moves, and a tap counts. */
export async function clickPart(tab: Tab, selector: string): Promise<void> {
  await waitFor(tab, part(selector));
  await waitFor(tab, IS_STILL);
  await waitFor(tab, IS_PATIENT);
  await tab.click(part(selector));
}

/** Presses Pay with an option, after which the page may go away. */
export async function press(tab: Tab, option: string): Promise<void> {
  await clickPart(tab, `[data-option="${option}"]`);
  await waitFor(tab, `${part(`[data-option="${option}"] input`)}.checked`);
  await clickPart(tab, '[data-action="pay"]');
}

/** Pays with an option, and stays on the page. */
export async function choose(tab: Tab, option: string): Promise<void> {
  await press(tab, option);
  await inPhase(tab, 'awaiting_payment');
}

/**
 * Reads the QR code on the screen by an independent decoder. The card may still grow, so a
 * screenshot that shows no code is taken again.
 */
export async function readQr(tab: Tab): Promise<string | undefined> {
  const end = Date.now() + MAX_WAIT_MS;
  let text: string | undefined;
  do text = await readQrOnce(tab);
  while (text === undefined && Date.now() < end);
  return text;
}

async function readQrOnce(tab: Tab): Promise<string | undefined> {
  await tab.evaluate(
    `${part('[part~="qr"]')}.scrollIntoView({ block: 'center', behavior: 'instant' })`,
  );
  await tab.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))',
  );
  const box = (await tab.evaluate(`(() => {
    const { x, y, width, height } = ${part('[part~="qr"]')}.getBoundingClientRect();
    return [x, y, width, height, innerWidth];
  })()`)) as [number, number, number, number, number];
  const screen = PNG.sync.read(Buffer.from(await tab.screenshot()));
  const [x, y, width, height] = box
    .slice(0, 4)
    .map((value) => Math.round((value * screen.width) / box[4])) as [
    number,
    number,
    number,
    number,
  ];
  const code = new PNG({ width, height });
  PNG.bitblt(screen, code, x, y, width, height, 0, 0);
  return jsQR(new Uint8ClampedArray(code.data), width, height)?.data;
}

/** Saves a screenshot in the folder that `PICTURES` names, if it names one. */
export async function keepScreenshot(tab: Tab, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${chosenEngine()}-${name}.png`, await tab.screenshot());
}

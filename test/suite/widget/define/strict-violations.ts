/** Deliberate violations, which a page must report, and the assertion that it reports none. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../../support/wait.js';
import type { StrictPage, StrictShop, Visit } from './strict-shop.js';

const INLINE = '<script>globalThis.ranInline = true</script>';
const STRING_AS_HTML = 'violation: require-trusted-types-for trusted-types-sink';
const ASSIGN_HTML =
  'document.body.append(document.createElement("p"));' +
  'document.querySelector("p").innerHTML = "<b>a text</b>"';

/** Walks, and asserts that neither the console nor a report of the browser tells a violation. */
export async function withoutViolation(
  shop: StrictShop,
  { violations }: Visit,
  walk: () => Promise<void>,
): Promise<void> {
  const before = shop.reports.length;
  await walk();
  assert.deepEqual(violations, []);
  assert.deepEqual(shop.reports.slice(before), []);
}

/** Opens the page with an inline script. The script is reported, and does not run. */
export async function refusesInlineScript(shop: StrictShop, base: StrictPage): Promise<void> {
  const reported = shop.reports.length;
  const { close, page, violations } = await shop.visit({ ...base, body: base.body + INLINE });
  assert.equal(await page.evaluate('globalThis.ranInline'), undefined);
  await until(
    () => violations.includes('violation: script-src-elem inline'),
    'the event of the violation',
  );
  await until(() => shop.reports.length > reported, 'the report');
  assert.match(shop.reports.at(-1) ?? '', /script-src-elem/);
  await close();
}

/** Assigns a text to innerHTML on an open page. The text is refused, and the page gets an event. */
export async function refusesHtml(page: Page, violations: readonly string[]): Promise<void> {
  await assert.rejects(page.evaluate(ASSIGN_HTML), /TrustedHTML/);
  await until(() => violations.includes(STRING_AS_HTML), 'the event of the violation');
}

/** As `refusesHtml`, and asserts that the browser also sends a report. */
export async function reportsHtml(
  shop: StrictShop,
  { page, violations }: Pick<Visit, 'page' | 'violations'>,
): Promise<void> {
  const reported = shop.reports.length;
  await refusesHtml(page, violations);
  await until(() => shop.reports.length > reported, 'the report');
  assert.match(shop.reports.at(-1) ?? '', /require-trusted-types-for/);
}

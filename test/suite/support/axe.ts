/** Runs axe in a page. */
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const axeScript = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** @returns the rules of axe that a page breaks, without level AAA and experimental rules */
export async function brokenRules(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axeScript });
  return page.evaluate(async () => {
    const { axe: own } = globalThis as unknown as { axe: typeof axe };
    const skipped = ['wcag2aaa', 'wcag22aaa', 'experimental'];
    const values = own
      .getRules()
      .filter(({ tags }) => !tags.some((tag) => skipped.includes(tag)))
      .map(({ ruleId }) => ruleId);
    const { violations } = await own.run(document, { runOnly: { type: 'rule', values } });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}

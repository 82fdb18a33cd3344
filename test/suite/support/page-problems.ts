/** The problems of a page, as the browser's console shows them. */
import type { Page } from 'playwright-core';

/**
 * @returns the console's errors and warnings and the uncaught errors; grows while the page is open
 */
export function pageProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  return problems;
}

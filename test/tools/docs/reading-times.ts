/**
 * `npm run reading` prints how long a page takes to read: its words by 220 a minute. Code, tables
 * and the addresses of links do not count: one looks them up and does not read them.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const WORDS_PER_MINUTE = 220;
const root = new URL('../../../', import.meta.url);

/** The minutes that each page may take. */
export const MAX_MINUTES: Readonly<Record<string, number>> = {
  'README.md': 2,
  'docs/architecture.md': 8,
  'docs/guides/first-shop/README.md': 10,
};

export const wordsIn = (markdown: string): number =>
  markdown
    .replace(/^( *)```[^]*?^\1```$/gm, ' ')
    .replace(/^\|.*$/gm, ' ')
    .replace(/<!--[^]*?-->/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

const textOf = (page: string): string => readFileSync(new URL(page, root), 'utf8');

export const minutesFor = (page: string): number => wordsIn(textOf(page)) / WORDS_PER_MINUTE;

/** With tables and code, as somebody reads who looks everything up. */
export const allWordsIn = (markdown: string): number =>
  markdown
    .replace(/\]\([^)]*\)/g, ']')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [page, most] of Object.entries(MAX_MINUTES)) {
    const [prose, all] = [wordsIn(textOf(page)), allWordsIn(textOf(page))];
    console.log(
      `${(prose / WORDS_PER_MINUTE).toFixed(1)} of ${most} minutes for ${prose} words of prose; ` +
        `${(all / WORDS_PER_MINUTE).toFixed(1)} for all ${all} words  ${page}`,
    );
  }

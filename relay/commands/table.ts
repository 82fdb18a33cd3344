/** Tables and times for a person at a terminal. */
import { styleText } from 'node:util';
import type { Outcome } from '../contract/order.js';

const WIDTH = 100;
const GAP = 2;
const MIN_COLUMN = 8;

/** A text of the service or of a page may move the cursor, or hide what stands beside it. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '�');

const lengthOf = (text: string): number => [...text].length;

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/**
 * Cuts columns until a row fits into the width of a terminal: first those of `whole`, one after the
 * other, because what is cut of them is not lost; then the widest. A time is never cut.
 */
function widthsOf(rows: readonly (readonly string[])[], whole: readonly number[]): number[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => lengthOf(row[column] ?? ''))),
  );
  const room = WIDTH - GAP * (columns - 1);
  const used = (): number => widths.reduce((sum, width) => sum + width, 0);
  const hasTimes = widths.map((_, column) => rows.some((row) => TIME.test(row[column] ?? '')));
  const spare = (column: number): number =>
    hasTimes[column] ? 0 : Math.max(0, (widths[column] ?? 0) - MIN_COLUMN);
  for (const column of whole)
    widths[column]! -= Math.min(spare(column), Math.max(0, used() - room));
  while (used() > room) {
    const most = Math.max(...widths.map((_, column) => spare(column)));
    if (most === 0) break;
    widths[widths.findIndex((_, column) => spare(column) === most)]! -= 1;
  }
  return widths;
}

function cell(text: string, width: number): string {
  const characters = [...text];
  if (characters.length <= width) return text + ' '.repeat(width - characters.length);
  return `${characters.slice(0, width - 1).join('')}…`;
}

/**
 * @param rows the head first
 * @param whole columns whose texts are needed whole, as an id is by the next command: one that is
 *   cut stands below its row again; the first column is cut first
 */
export function table(
  rows: readonly (readonly string[])[],
  { whole = [] }: { whole?: readonly number[] } = {},
): string {
  const plain = rows.map((row) => row.map(printable));
  const widths = widthsOf(plain, whole);
  return plain
    .flatMap((row) => [
      row.map((text, column) => cell(text, widths[column] ?? 0)).join(' '.repeat(GAP)),
      ...whole.flatMap((column) => {
        const text = row[column] ?? '';
        return lengthOf(text) > (widths[column] ?? 0) ? [wrapped(`  ${text}`, 2)] : [];
      }),
    ])
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/**
 * Breaks a text between words so that it fits into the width of a terminal. A word that is longer
 * stays whole, because it may be an id.
 *
 * @param indent spaces at the beginning of each line but the first
 */
export function wrapped(text: string, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ (?! )/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (lengthOf(longer) <= WIDTH || line.trim() === '') line = longer;
    else {
      lines.push(line);
      line = ' '.repeat(indent) + word;
    }
  }
  return [...lines, line].join('\n');
}

const two = (value: number): string => String(value).padStart(2, '0');

function zone(): string {
  // a TZ that is no name of a zone, such as UTC+3, has none
  const { timeZone }: { timeZone?: string } = Intl.DateTimeFormat().resolvedOptions();
  return (
    timeZone ?? new Date().toTimeString().slice('09:30:00 '.length, '09:30:00 GMT+0300'.length)
  );
}

/** In this machine's time zone, which `footer` names. */
export function moment(iso: string | null): string {
  if (iso === null) return '-';
  const at = new Date(iso);
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${date} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
}

/** For a text that ends without a footer. */
export const momentInZone = (iso: string): string => `${moment(iso)} (${zone()})`;

/** What stands below a table. */
export const footer = (cursor: string | null = null): string =>
  (cursor === null ? '' : `${wrapped(`more: --cursor ${cursor}`, 2)}\n`) +
  `Times are of ${zone()}.\n`;

/** What stands for a table without rows: a call reads so many rows at most. */
export const mayFollow = (cursor: string | null): string =>
  cursor === null ? '' : `${wrapped(`more may follow: --cursor ${cursor}`, 2)}\n`;

const COLOURS: Partial<Record<Outcome, 'green' | 'red' | 'yellow'>> = {
  succeeded: 'green',
  review: 'red',
  unmapped: 'red',
  confirming: 'yellow',
};

/** Colours the words for outcomes in a text, on a terminal alone. */
function withColours(text: string): string {
  if (!process.stdout.isTTY || process.env.NO_COLOR) return text;
  return text.replace(new RegExp(`(?<= )(${Object.keys(COLOURS).join('|')})(?= )`, 'g'), (word) =>
    styleText(COLOURS[word as Outcome] ?? 'yellow', word),
  );
}

/** Prints an answer for a script, or for a person. */
export function print<T>(isJson: boolean, answer: T, asText: (answer: T) => string): void {
  process.stdout.write(isJson ? `${JSON.stringify(answer)}\n` : withColours(asText(answer)));
}

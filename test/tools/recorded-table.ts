/** Reads and writes the table of a run, which is between two markers of a Markdown file. */
import { readFileSync, writeFileSync } from 'node:fs';

const BETWEEN = /(?<=<!-- table -->\n)[^]*(?=<!-- end of table -->)/;

/**
 * @returns the text between the markers
 * @throws Error when the text has no markers, so that no run writes nothing without an error
 */
export function recordedIn(text: string): string {
  const [found] = BETWEEN.exec(text) ?? [];
  if (found === undefined) throw new Error('the text has no markers of a table');
  return found;
}

/** The lines as they stand between the markers. */
export const asRecorded = (lines: readonly string[]): string => ['', ...lines, '', ''].join('\n');

/** Replaces what stands between the markers of the file. */
export function recordTable(file: URL, lines: readonly string[]): void {
  const text = readFileSync(file, 'utf8');
  recordedIn(text);
  writeFileSync(
    file,
    text.replace(BETWEEN, () => asRecorded(lines)),
  );
}

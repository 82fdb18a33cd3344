/** The pages and programs of docs/ that `npm run contract` writes, by their file in docs/. */
import { format } from 'prettier';
import { quickStarts } from './quick-start.js';
import { serverShops } from './quick-start-servers.js';
import { MARKDOWN, referencePages } from './reference-pages.js';

/** The first line of each page, for whoever opens it to change it. */
const WRITTEN =
  '<!-- Written by `npm run contract` from test/tools/contract/. An edit here is lost. -->';

export async function generatedPages(): Promise<Record<string, string>> {
  const pages = Object.entries({ ...(await referencePages()), ...quickStarts() });
  const formatted = pages.map(async ([page, text]) => [
    page,
    await format(`${WRITTEN}\n\n${text}`, MARKDOWN),
  ]);
  return { ...serverShops(), ...Object.fromEntries(await Promise.all(formatted)) };
}

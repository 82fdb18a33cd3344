/** The pages of the documentation that is packed beside the relay, and a search in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `path` is relative to docs/; `text` is Markdown. */
export type DocsPage = { path: string; title: string; text: string };
type DocsSection = { path: string; heading: string; text: string };

/** The folder stands beside relay/ in the repository, and beside dist/ in the package. */
const folder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../docs/' : '../../../docs/', import.meta.url),
);

/** @throws Error when the documentation is missing */
export const readDocsPages = (): DocsPage[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      return { path, title: /^# (.+)$/m.exec(text)?.[1] ?? path, text };
    });

const MAX_RESULTS = 8;
const EXCERPT_CHARACTERS = 600;

/** The sections that have every word, those with a word in a heading first. */
export function searchPages(pages: readonly DocsPage[], query: string): DocsSection[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return pages
    .flatMap((page) => sectionsOf(page))
    .map((section) => ({ section, points: score(section, words) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .slice(0, MAX_RESULTS)
    .map(({ section }) => ({ ...section, text: section.text.slice(0, EXCERPT_CHARACTERS) }));
}

const sectionsOf = ({ path, text, title }: DocsPage): DocsSection[] =>
  text.split(/^(?=#{1,4} )/m).map((part) => {
    const heading = /^#+ (.+)$/m.exec(part)?.[1] ?? title;
    return { path, heading: heading === title ? title : `${title}: ${heading}`, text: part.trim() };
  });

function score({ heading, text }: DocsSection, words: readonly string[]): number {
  const [inHeading, inText] = [heading.toLowerCase(), text.toLowerCase()];
  if (!words.every((word) => inHeading.includes(word) || inText.includes(word))) return 0;
  return words.reduce((sum, word) => sum + (inHeading.includes(word) ? 5 : 1), 0);
}

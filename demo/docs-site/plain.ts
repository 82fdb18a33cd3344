/** The documents as plain Markdown, for agents: each page, their list, and all of them in one. */
import { addressOf, HOME, navigation, readText, resolveLink } from './files.js';

const LINK = /(!?)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)\s#]+)(#[^)]*)?\)/g;

/**
 * Writes each link between files as another address.
 *
 * @param to takes a file of the repository; null keeps the link
 * @throws Error when a link leads to no file
 */
export const withLinks = (
  file: string,
  to: (target: string, kind: 'image' | 'link') => string | null,
): string =>
  readText(file).replace(LINK, (all, image: string, label: string, link: string, hash = '') => {
    const address = to(resolveLink(file, link), image === '' ? 'link' : 'image');
    return address === null ? all : `${image}[${label}](${address}${hash})`;
  });

/** All documents in the order of the navigation, the first page first. */
export const documents = (): string[] => [
  HOME,
  ...navigation().flatMap(({ files }) => files.filter((file) => file.endsWith('.md'))),
];

/** The address of a document as Markdown, beside its page. */
export const plainAddressOf = (file: string): string =>
  file === HOME ? `${addressOf(file)}index.md` : addressOf(file).replace(/\.html$/, '.md');

const known = (): ReadonlySet<string> => new Set(documents());

/** A document of the site: its links lead to other documents as Markdown where there are any. */
export function plainDocument(file: string, all = known()): string {
  return withLinks(file, (target) =>
    all.has(target) ? plainAddressOf(target) : addressOf(target),
  );
}

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? '';
/** The first sentences of the first paragraph, in one line. */
const summaryOf = (text: string): string =>
  (/^(?!#|<!--|!\[|\||```|- |> )\S[^]*?(?=\n\n|\n*$)/m.exec(text)?.[0] ?? '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .slice(0, 160)
    .trim();

/** The list of documents as https://llmstxt.org describes it. */
export function llmsTxt(addressFor: (file: string) => string): string {
  const line = (file: string): string => {
    const text = readText(file);
    return `- [${titleOf(text)}](${addressFor(file)}): ${summaryOf(text)}`;
  };
  const home = readText(HOME);
  return [
    `# ${titleOf(home)}`,
    `> ${summaryOf(home)}`,
    'Deliver only on the signed event `order.succeeded`, or on an answer of the relay to the ' +
      'backend; never because the page says so. An unknown outcome is neither paid nor failed.',
    ...navigation().map(
      ({ files, title }) =>
        `## ${title}\n\n${files
          .filter((file) => file.endsWith('.md'))
          .map(line)
          .join('\n')}`,
    ),
    '',
  ].join('\n\n');
}

/** All documents in one text, each with its file's name. */
export const llmsFullTxt = (textOf: (file: string) => string): string =>
  documents()
    .map((file) => `<!-- ${file} -->\n\n${textOf(file).trim()}\n`)
    .join('\n');

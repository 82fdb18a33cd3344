/** The documents as plain Markdown, for agents: each page, their list, and all of them in one. */
import { addressOf, HOME, navigation, readText, resolveLink } from './files.js';
import { render } from './render.js';

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

const titleOf = (file: string): string => render(file).title;

/** Of pages whose first sentence does not say what they are about. */
const SUMMARIES: Readonly<Record<string, string>> = {
  'docs/guides/style-the-element.md': 'Themes, tokens, parts and slots that style the element.',
  'docs/guides/frameworks.md': 'How each framework loads the element and listens to its events.',
  'docs/guides/run-the-relay.md':
    'Run the relay beside the shop: addresses, keys, backup, updates.',
  'docs/guides/go-live.md': 'Twelve ticks before the first real payment.',
  'docs/deploy/README.md': 'Examples for Docker, systemd, nginx, Caddy and Prometheus.',
  'docs/reference.md': 'All requests, fields and codes, and the pages that say more.',
  'docs/reference/element.md': 'Attributes, properties, events and methods of the element.',
  'docs/reference/commands.md': 'All commands of the relay, with their flags.',
  'docs/reference/monitoring.md': 'The lines of the log, and the metrics.',
  'docs/reference/shop-events.md': 'The events that the shop receives, with their fields.',
  'CONTRIBUTING.md': 'The commands and rules for those who change this repository.',
  'AGENTS.md': 'What a coding agent that changes this repository reads first.',
  'CHANGELOG.md': 'What changed in each version.',
};

/** The first sentence of the first paragraph, in one line. */
function summaryOf(file: string): string {
  const known = SUMMARIES[file];
  if (known !== undefined) return known;
  const text = readText(file);
  if (file.startsWith('docs/quick-start/')) {
    const isRecorded = /^## Record|records an order/m.test(text) ? ', which the shop records' : '';
    const stack = titleOf(file).replace('Quick start: ', '');
    return `A first payment in the sandbox with ${stack}${isRecorded}.`;
  }
  const paragraphs = text
    .replace(/^---\n[^]*?\n---\n|^```[^]*?^```$|<!--[^]*?-->/gm, '')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim());
  const [first = ''] = paragraphs.filter((paragraph) => /^[^#!|>\s-]/.test(paragraph));
  const line = first.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ');
  return (/^.*?[.?!:](?= |$)/.exec(line)?.[0] ?? line).replace(/:$/, '.').replaceAll('**', '');
}

/** The list of documents as https://llmstxt.org describes it. */
export function llmsTxt(addressFor: (file: string) => string): string {
  const line = (file: string): string =>
    `- [${titleOf(file)}](${addressFor(file)}): ${summaryOf(file)}`;
  return [
    `# ${titleOf(HOME)}`,
    `> ${summaryOf(HOME)}`,
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

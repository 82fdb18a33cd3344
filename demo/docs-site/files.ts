/** The files of the repository that the site shows, their addresses, and their order. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const readText = (file: string): string => readFileSync(join(root, file), 'utf8');
export const readBytes = (file: string): Buffer => readFileSync(join(root, file));

/** The address of the site. */
export const BASE = '/docs/';

type Group = { title: string; folder: string; first: readonly string[] };
/** The files in `first` come first; the other files of the folder follow in alphabetical order. */
const groups: readonly Group[] = [
  {
    title: 'Quick start',
    folder: 'docs/quick-start',
    first: [
      ...['html', 'react', 'next', 'vue', 'nuxt', 'svelte', 'sveltekit', 'angular', 'astro'],
      ...['preact', 'solid', 'express', 'fastify', 'hono', 'php', 'deno', 'bun'],
    ],
  },
  {
    title: 'Guides',
    folder: 'docs/guides',
    first: [
      'first-shop/README',
      'the-element',
      'style-the-element',
      'frameworks',
      'content-security-policy',
      'configure-the-relay',
      'run-the-relay',
      'mount-the-relay',
      'sign-order-tokens/README',
      'receive-shop-events',
      'prisma-and-drizzle',
      'answers-to-the-backend',
      'go-live',
    ],
  },
  { title: 'Deploy', folder: 'docs/deploy', first: [] },
  { title: 'Reference', folder: 'docs/reference', first: ['element', 'endpoints'] },
  { title: 'Packages', folder: 'docs/packages', first: [] },
];

const markdownIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .sort();

/** Documents beside the README. */
const ROOT_DOCUMENTS = ['SECURITY.md', 'SKILL.md', 'CONTRIBUTING.md', 'AGENTS.md', 'CHANGELOG.md'];

export type NavGroup = { title: string; files: string[] };

/** The groups of the navigation; together they have every Markdown file of docs/. */
export function navigation(): NavGroup[] {
  const listed = groups.map(({ first, folder, title }) => {
    const rest = markdownIn(folder).filter((name) => !first.includes(name));
    const files = [...first, ...rest].map((name) => `${folder}/${name}.md`);
    // the overview of the reference stands above the other pages of the group
    return { title, files: title === 'Reference' ? ['docs/reference.md', ...files] : files };
  });
  const known = new Set(listed.flatMap(({ files }) => files));
  const others = markdownIn('docs').map((name) => `docs/${name}.md`);
  const background = others.filter((file) => !known.has(file));
  return [...listed, { title: 'Background', files: [...background, ...ROOT_DOCUMENTS] }];
}

export const HOME = 'README.md';

/** Whether the site serves the file itself, instead of a page that shows the file. */
export const isAsset = (file: string): boolean => /\.(png|svg|json)$/.test(file);

/** @returns the address of a file's page, or of the file itself */
export function addressOf(file: string): string {
  if (file === HOME) return BASE;
  if (isAsset(file)) return `${BASE}files/${file}`;
  const isDocument = file.startsWith('docs/') && file.endsWith('.md');
  const name = isDocument ? file.slice('docs/'.length) : `files/${file}`;
  return `${BASE}${name.replace(/README\.md$/, 'index.md').replace(/\.md$/, '')}.html`;
}

/**
 * Resolves a link between files.
 *
 * @param from the file that has the link
 * @returns the file; a link to a folder leads to the README in it
 * @throws Error when the file or folder does not exist
 */
export function resolveLink(from: string, link: string): string {
  const file = normalize(join(dirname(from), link)).replace(/\/$/, '');
  if (!existsSync(join(root, file))) throw new Error(`${from}: there is no ${link}`);
  return statSync(join(root, file)).isDirectory() ? resolveFolder(file) : file;
}

/** @returns the README of the folder, or else the first file in it */
function resolveFolder(folder: string): string {
  const names = readdirSync(join(root, folder)).sort();
  const shown = names.find((name) => name === 'README.md') ?? names.find((name) => /\./.test(name));
  if (shown === undefined) throw new Error(`${folder} has no file`);
  return `${folder}/${shown}`;
}

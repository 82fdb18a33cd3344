/** The pages of the site: the files of the navigation, and every file to which a page links. */
import { z } from 'zod';
import { addressOf, BASE, HOME, isAsset, navigation, readBytes, readText } from './files.js';
import { pageOf, type Assets } from './layout.js';
import { documents, llmsFullTxt, llmsTxt, plainAddressOf, plainDocument } from './plain.js';
import { render, type Rendered } from './render.js';

/** A section as the search in the browser reads it. */
export type SearchEntry = { page: string; heading: string; address: string; text: string };

const manifest = z.object({ homepage: z.url() });

export type Site = {
  /** The files of the pages, by their address. */
  pages: ReadonlyMap<string, string>;
  /** Files that are served as they are, by their address. */
  files: ReadonlyMap<string, string>;
  /** Renders the file at each call, so that a reload shows a change of the file. */
  html(file: string, assets: Assets): string;
  searchIndex(): SearchEntry[];
};

/** @throws Error when a page links to a file that is not there */
export function createSite(): Site {
  const groups = navigation();
  const { homepage } = manifest.parse(JSON.parse(readText('package.json')));
  const rendered = new Map<string, Rendered>();
  const files = new Map<string, string>();
  const waiting = [HOME, ...groups.flatMap((group) => group.files)];
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (isAsset(file)) files.set(addressOf(file), file);
    else if (!rendered.has(file)) {
      const page = render(file);
      rendered.set(file, page);
      waiting.push(...page.links);
    }
  }
  const titleOf = (file: string): string => rendered.get(file)?.title ?? file;
  return {
    pages: new Map([...rendered.keys()].map((file) => [addressOf(file), file])),
    files,
    html: (file, assets) => pageOf(file, render(file), { groups, titleOf, assets, homepage }),
    searchIndex: () =>
      [...rendered].flatMap(([file, { sections, title }]) =>
        sections.map(({ heading, id, text }) => ({
          page: title,
          heading,
          address: addressOf(file) + (id === '' ? '' : `#${id}`),
          text,
        })),
      ),
  };
}

/** The addresses of what the site serves as plain text. */
export const plainAddresses = (): string[] => [
  ...documents().map(plainAddressOf),
  `${BASE}llms.txt`,
  `${BASE}llms-full.txt`,
];

function plainAnswer(address: string): string | null {
  if (address === `${BASE}llms.txt`) return llmsTxt(plainAddressOf);
  if (address === `${BASE}llms-full.txt`) return llmsFullTxt((file) => plainDocument(file));
  const file = address.endsWith('.md')
    ? documents().find((each) => plainAddressOf(each) === address)
    : undefined;
  return file === undefined ? null : plainDocument(file);
}

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
};

/** @returns the body for an address of the site; null when the site has no such address */
export function answer(
  site: Site,
  address: string,
  assets: Assets,
): { type: string; body: string | Buffer } | null {
  const page = site.pages.get(address.replace(/index\.html$/, '')) ?? site.pages.get(address);
  if (page !== undefined)
    return { type: 'text/html; charset=utf-8', body: site.html(page, assets) };
  const plain = plainAnswer(address);
  if (plain !== null) return { type: 'text/plain; charset=utf-8', body: plain };
  if (address.endsWith('/search.json'))
    return { type: 'application/json', body: JSON.stringify(site.searchIndex()) };
  const file = site.files.get(address);
  if (file === undefined) return null;
  return { type: TYPES[file.split('.').at(-1) ?? ''] ?? 'text/plain', body: readBytes(file) };
}

/**
 * How the documents say that the packages are installed. Until a release is on the registry,
 * anybody can take their names there, so every line installs the tarballs of `npm run pack`. The
 * release turns these lines into lines with names.
 */
import { repository } from './manifests.js';

/** A paragraph of each document that installs a package. */
export const HOW_TO_PACK =
  'The packages are not on npm yet. Make them in a clone of this repository, here ' +
  '`~/pay-checkout`: `npm ci && npm run pack`.';

export type PackageName =
  'pay-checkout' | 'pay-checkout-relay' | 'pay-checkout-medusa' | 'pay-checkout-vendure';

const tarballOf = (name: PackageName): string =>
  `~/pay-checkout/dist/packages/${name}-${repository.version}.tgz`;

/** @param others packages of the registry that the reader needs too */
export const installLine = (
  names: readonly PackageName[],
  others: readonly string[] = [],
): string => ['npm install', ...names.map(tarballOf), ...others].join(' ');

/** A heading of a version stands in CHANGELOG.md from the first release on. */
export const isReleased = (changelog: string): boolean => /^## \[?\d/m.test(changelog);

/** The four names. */
const OURS = 'pay-checkout(?:-relay|-medusa|-vendure)?';
const TARBALL = new RegExp(
  String.raw`~/pay-checkout/dist/packages/(${OURS})-\d[^\s\`]*?\.tgz`,
  'g',
);
const PARAGRAPH = /^[ \t]*The packages are not on npm yet\.[^]*?\n[ \t]*\n/gm;

/** The lines of the Dockerfile, whose build sees no file outside its folder. */
const COPIED_TARBALL = /^(?:# The package is not on npm yet\b|COPY pay-checkout-relay-).*\n/gm;
const DOCKER_TARBALL = '"./pay-checkout-relay-${VERSION}.tgz"';

/** @returns the document, installing the packages by their names */
export const fromRegistry = (text: string): string =>
  text
    .replace(PARAGRAPH, '')
    .replace(TARBALL, '$1')
    .replace(COPIED_TARBALL, '')
    .replaceAll(DOCKER_TARBALL, '"pay-checkout-relay@${VERSION}"');

const NAME = String.raw`["']?${OURS}(?:@[^\s"'\`]*)?["']?(?=[\s\`]|$)`;
/** What stands before the name within one command. */
const WORDS = String.raw`[^\n\`&|;]*?\s`;
const FETCHING = [
  // npx and its relatives run a package that they fetch; with --no-install they fetch nothing
  String.raw`\b(?:npx|bunx|(?:pnpm|yarn) dlx|npm (?:exec|x))\b(?! --no-install)${WORDS}${NAME}`,
  String.raw`\b(?:npm|pnpm|yarn|bun|deno) (?:install|i|add|create|init)\b${WORDS}${NAME}`,
  String.raw`\bnpm:pay-checkout`,
  String.raw`(?:unpkg\.com|jsdelivr\.net|esm\.sh|jspm\.io|npmjs\.(?:com|org))/\S*pay-checkout`,
  String.raw`"${OURS}": ?"(?:[\^~>=v\d*]|latest)`,
];

/** @returns the commands and addresses of the text that fetch our names from a registry */
export function fetchingLines(text: string): string[] {
  // a command continues after a backslash, and the formatter wraps code within a sentence
  const joined = text
    .replace(/\\\n\s*/g, ' ')
    .replace(/`[^`\n]+\n[^`\n]+`/g, (span) => span.replace(/\s+/g, ' '));
  return FETCHING.flatMap((pattern) => joined.match(new RegExp(pattern, 'gm')) ?? []);
}

/** The blocks of code in the documentation. */
import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);

export type CodeBlock = { page: string; language: string; code: string };

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  'SECURITY.md',
  'SKILL.md',
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
];

export const fileOf = (page: string): URL => new URL(page, root);

/** @returns the blocks of all pages in one of the languages; without languages, all blocks */
export const codeBlocks = (...languages: string[]): CodeBlock[] =>
  pages.flatMap((page) =>
    [...readFileSync(fileOf(page), 'utf8').matchAll(/^( *)```(\w*)\n(.*?)\n\1```$/gms)]
      .filter(([, , language = '']) => languages.length === 0 || languages.includes(language))
      .map(([, , language = '', code = '']) => ({ page, language, code })),
  );

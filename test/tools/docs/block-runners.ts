/**
 * Names the test that runs each block of code in the documentation. A block without a runner fails
 * a test, so that no example is published that nobody has run.
 */
import { format } from 'prettier';
import { quickStarts } from '../contract/quick-start.js';
import { MARKDOWN } from '../contract/reference-pages.js';
import { codeBlocks, type CodeBlock } from './code-blocks.js';

/** The platforms are not installed here. */
const isOfPlatform = ({ language, page }: CodeBlock): boolean =>
  language === 'ts' && /^docs\/guides\/(medusa|vendure)\.md$/.test(page);
const isQuickStart = ({ page }: CodeBlock): boolean => page.startsWith('docs/quick-start/');
/** The quick starts in the form of the files in docs/quick-start. */
const quickStartPages = new Map<string, string>(
  await Promise.all(
    Object.entries(quickStarts()).map(
      async ([page, text]) => [`docs/${page}`, await format(text, MARKDOWN)] as const,
    ),
  ),
);

/** Run by code-blocks.process.test.ts. */
const runnersHere = {
  /** Compiled; what can run without a framework is also run by run-blocks.test.ts. */
  compiled: (block: CodeBlock) =>
    ['js', 'ts', 'tsx'].includes(block.language) && !isQuickStart(block) && !isOfPlatform(block),
  json: ({ language }: CodeBlock) => language === 'json',
  commands: ({ language }: CodeBlock) => language === 'sh',
  html: ({ language }: CodeBlock) => language === 'html',
} as const;

type Elsewhere = { test: string; takes: (block: CodeBlock) => boolean };

/** Run by other tests, each of which reads its page. */
export const runnersElsewhere: readonly Elsewhere[] = [
  {
    // the code of the shops that are type-checked and paid in
    test: 'test/proofs/frameworks/run.ts',
    takes: ({ code, language, page }) =>
      language !== 'js' && (quickStartPages.get(page)?.includes(code) ?? false),
  },
  {
    test: 'test/tools/docs/quick-start-shops.process.test.ts',
    takes: ({ language, page }) =>
      language === 'js' && /^docs\/quick-start\/(express|fastify|hono)\.md$/.test(page),
  },
  {
    test: 'test/proofs/runtimes/quick-start.test.ts',
    takes: ({ language, page }) =>
      language === 'js' && /^docs\/quick-start\/(deno|bun)\.md$/.test(page),
  },
  {
    // compares the code with that of the shops in which `npm run medusa` and `vendure` pay
    test: 'test/tools/docs/platforms.test.ts',
    takes: isOfPlatform,
  },
  {
    test: 'test/tools/docs/php-quick-start.process.test.ts',
    takes: ({ language, page }) => language === 'php' && page === 'docs/quick-start/php.md',
  },
  {
    // the shop in which `npm run wordpress` pays; wordpress.process.test.ts reads its syntax
    test: 'test/proofs/wordpress/wordpress-server.ts',
    takes: ({ language, page }) => language === 'php' && page === 'docs/guides/wordpress.md',
  },
  {
    test: 'test/suite/widget/define/strict-shop.ts',
    takes: ({ language, page }) =>
      language === 'http' && page === 'docs/guides/content-security-policy.md',
  },
  {
    test: 'test/tools/docs/guides.test.ts',
    takes: ({ language, page }) => language === 'nginx' && page === 'docs/guides/run-the-relay.md',
  },
  {
    test: 'test/suite/widget/shop/orm-tables.test.ts',
    takes: ({ language }) => language === 'prisma',
  },
  {
    // the page is written from the commands, and this test compares it with them
    test: 'test/tools/contract/reference.process.test.ts',
    takes: ({ language, page }) => language === 'text' && page === 'docs/reference/commands.md',
  },
  {
    test: 'test/tools/docs/diagrams.test.ts',
    takes: ({ language, page }) => language === 'mermaid' && page === 'docs/architecture.md',
  },
];

export type Runner = keyof typeof runnersHere;

export const blocksOf = (runner: Runner): CodeBlock[] => codeBlocks().filter(runnersHere[runner]);

export const isRun = (block: CodeBlock): boolean =>
  [...Object.values(runnersHere), ...runnersElsewhere.map(({ takes }) => takes)].some((takes) =>
    takes(block),
  );

/** Compiles blocks of code against the sources of the two packages, as a shop's editor does. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { elementEntries, relayEntries, type Entries } from '../packages/manifests.js';
import type { CodeBlock } from './code-blocks.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Declares what a reader already has, such as an app. Each block uses some of it. */
const READER_DECLARATIONS = `
import type { Express } from 'express';
import type { FastifyInstance } from 'fastify';
import type { Hono } from 'hono';
import type { Pool } from 'pg';
import 'pay-checkout/define';
import type { Order } from '${root}relay/contract/order.js';
import type { BackendOrder, ReceiveEvents, ReconcileOptions } from 'pay-checkout/shop';
type Prisma = {
  $queryRaw(text: TemplateStringsArray, ...values: unknown[]): Promise<unknown>;
  order: {
    findUnique(query: { where: object }): Promise<{ paid_by: string | null } | null>;
    updateMany(change: { where: object; data: object }): Promise<{ count: number }>;
  };
};
declare global {
  const app: Pick<Express, 'listen' | 'post' | 'use'> & Pick<FastifyInstance, 'register'> &
    Pick<Hono, 'route'>;
  const cursor: ReconcileOptions<unknown>['cursor'];
  const pool: Pool;
  const prisma: Prisma & { $transaction<T>(run: (tx: Prisma) => Promise<T>): Promise<T> };
  const receive: ReceiveEvents;
  const secret_key: string;
  const ReactNativeWebView: { postMessage(text: string): void };
  const Telegram: { WebApp: { openLink(url: string): void } };
  const token: string;
  function POST(request: Request): Promise<Response>;
  function deliver(order: BackendOrder): void;
  function show(order: Order): void;
}
`;

/** The packages of apps around the page. */
const APP_PACKAGES = `
declare module '@capacitor/app-launcher' {
  export const AppLauncher: { openUrl(app: { url: string }): Promise<unknown> };
}
declare module '@capacitor/browser' {
  export const Browser: { open(page: { url: string }): Promise<void> };
}
declare module 'react-native' {
  export const Linking: { openURL(url: string): Promise<unknown> };
}
`;

const pathsOf = (name: string, entries: Entries): [string, string[]][] =>
  Object.entries(entries).map(([subpath, file]) => [
    subpath.replace('.', name),
    [`${root}${file}.ts`],
  ]);

/** @returns what the compiler says of each block, with its page */
export function compileBlocks(blocks: readonly CodeBlock[]): string[] {
  const files = new Map(
    blocks.map(({ code, language, page }, index) => [
      `${root}test/tools/docs/${page.replaceAll('/', '_')}-${index}.${language}`,
      `${code}\nexport {};\n`,
    ]),
  );
  files.set(`${root}test/tools/docs/given.d.ts`, READER_DECLARATIONS);
  files.set(`${root}test/tools/docs/app-packages.d.ts`, APP_PACKAGES);
  const options: ts.CompilerOptions = {
    strict: true,
    // a block of JavaScript declares no types
    noImplicitAny: false,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    skipLibCheck: true,
    experimentalDecorators: true,
    useDefineForClassFields: false,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.ReactJSX,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    paths: Object.fromEntries([
      ...pathsOf('pay-checkout', elementEntries),
      ...pathsOf('pay-checkout-relay', relayEntries),
    ]),
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, language, ...rest) => {
    const text = files.get(name);
    if (text === undefined) return getSourceFile(name, language, ...rest);
    return ts.createSourceFile(name, text, language);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((name) => {
    const source = program.getSourceFile(name);
    const found = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ];
    return found.map(({ messageText }) => {
      const page = name.slice(`${root}test/tools/docs/`.length);
      return `${page}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
  });
}

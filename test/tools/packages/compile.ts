/** Compiles the modules that a package exports, with everything that they import. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from './manifests.js';
import { plainTypes } from './plain-types.js';

const IMPORT = /\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g;
const ZOD = /from ["']zod["']/;
/** Source files of this process's compilations, which all parse with the same options. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Writes JavaScript and declarations into `out`, in the folders of the source, without maps: the
 * source is not shipped.
 *
 * @param withoutZod whether to leave out the files that are not used at run time, and to write
 *   types that do not need zod
 */
export function compile(
  entries: readonly string[],
  out: string,
  { withoutZod = false } = {},
): void {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile) as {
    config: { compilerOptions: unknown };
  };
  const { options, errors } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  if (errors.length > 0) throw new Error(errors.map(({ messageText }) => messageText).join('\n'));
  const packed: ts.CompilerOptions = {
    ...options,
    noEmit: false,
    declaration: true,
    sourceMap: false,
    rootDir: root,
    outDir: out,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
  };
  const host = ts.createCompilerHost(packed);
  const { getSourceFile } = host;
  host.getSourceFile = (file, ...rest) => {
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, ...rest));
    return parsed.get(file);
  };
  const program = ts.createProgram(
    entries.map((path) => `${root}${path}.ts`),
    packed,
    host,
  );
  const problems = ts.getPreEmitDiagnostics(program);
  if (problems.length > 0)
    throw new Error(
      ts.formatDiagnostics(problems, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => root,
        getNewLine: () => '\n',
      }),
    );
  program.emit(undefined, (file, text, _mark, _error, sources) => {
    const [source] = sources ?? [];
    const plain = withoutZod && source && file.endsWith('.d.ts') && ZOD.test(text);
    write(file, plain ? plainTypes(program, source) : text);
  });
  if (withoutZod) keepOnlyReachable(out, entries);
}

/** @returns the files of that ending which the entries import, and their own */
function reachable(out: string, entries: readonly string[], ending: '.js' | '.d.ts'): Set<string> {
  const found = new Set<string>();
  const find = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT))
      find(join(dirname(file), specifier.replace(/\.js$/, ending)));
  };
  for (const path of entries) find(join(out, path + ending));
  return found;
}

/**
 * Writes an entry's declarations for CommonJS beside those for modules: TypeScript lets no module
 * in CommonJS import the types of an ES module.
 */
export function writeCommonJsTypes(out: string, entry: string): void {
  for (const file of reachable(out, [entry], '.d.ts'))
    write(
      file.replace(/\.d\.ts$/, '.d.cts'),
      readFileSync(file, 'utf8').replace(IMPORT, (part) => part.replace(/\.js(["'])$/, '.cjs$1')),
    );
}

/** Deletes what no entry imports; `import type` leaves no trace in the JavaScript. */
function keepOnlyReachable(out: string, entries: readonly string[]): void {
  for (const ending of ['.js', '.d.ts'] as const) {
    const kept = reachable(out, entries, ending);
    for (const file of ts.sys.readDirectory(out, [ending]))
      if (!kept.has(join(file)) && file.endsWith(ending)) rmSync(file);
  }
}

export function write(file: string, text: string): void {
  if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

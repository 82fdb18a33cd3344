/**
 * Compiles the plugins for shop platforms file by file, because the platforms and their types are
 * not installed here. `npm run medusa` and `npm run vendure` check the types.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { write } from './compile.js';
import { root } from './manifests.js';

/** The sources of the plugins. */
export const medusaSource = `${root}widget/medusa`;
export const vendureSource = `${root}widget/vendure`;

/** The options of the plugin's own compilation. Both platforms load CommonJS modules. */
function optionsOf(source: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(source, 'tsconfig.json'), ts.sys.readFile) as {
    config: { compilerOptions: unknown };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, source);
  const { moduleResolution: _ofModules, ...others } = options;
  return { ...others, module: ts.ModuleKind.CommonJS };
}

/**
 * @param source the folder of the plugin's source
 * @param out the folder of the compiled files
 * @throws Error when the type of an export is not written out
 */
export function compilePlugin(source: string, out: string): void {
  const declarations = optionsOf(source);
  const modules = { ...declarations, declaration: false, isolatedDeclarations: false };
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const text = readFileSync(join(source, file), 'utf8');
    const options = { fileName: file, reportDiagnostics: true };
    const compiled = {
      '.js': ts.transpileModule(text, { ...options, compilerOptions: modules }),
      '.d.ts': ts.transpileDeclaration(text, { ...options, compilerOptions: declarations }),
    };
    for (const [ending, { diagnostics = [], outputText }] of Object.entries(compiled)) {
      const [problem] = diagnostics;
      if (problem)
        throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(problem.messageText, ' ')}`);
      write(join(out, file.replace(/\.ts$/, ending)), outputText);
    }
  }
}

/** Reads a source file of `pay-checkout` with the compiler. */
import ts from 'typescript';

/** @throws Error when the file cannot be read */
export function compiled(file: string): { checker: ts.TypeChecker; source: ts.SourceFile } {
  const program = ts.createProgram([file], {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: [],
    skipLibCheck: true,
  });
  const source = program.getSourceFile(file);
  if (!source) throw new Error(`${file} was not read`);
  return { checker: program.getTypeChecker(), source };
}

/**
 * Writes the contract's types without zod: a shop's TypeScript would otherwise need zod to read the
 * types of a package that does not depend on it.
 */
import ts from 'typescript';

const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;

/** @returns the declarations of all types that the file exports, and of nothing else */
export function plainTypes(program: ts.Program, file: ts.SourceFile): string {
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(file);
  const names = module ? checker.getExportsOfModule(module) : [];
  const types = names.filter(({ flags }) => flags & ts.SymbolFlags.TypeAlias);
  const lines = types.map((symbol) => {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    return `${docOf(checker, symbol, '')}export type ${symbol.name} = ${print(checker, type, '')};`;
  });
  return `${lines.join('\n')}\nexport {};\n`;
}

function print(checker: ts.TypeChecker, type: ts.Type, indent: string): string {
  if (type.isUnion()) {
    const parts = type.types;
    if (!parts.some(isObject)) return checker.typeToString(type, undefined, FLAGS);
    return parts.map((part) => print(checker, part, indent)).join(' | ');
  }
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    if (item) return `Array<${print(checker, item, indent)}>`;
  }
  const properties = type.getProperties();
  const indexed = checker.getIndexInfosOfType(type).length > 0;
  if (!isObject(type) || indexed || properties.length === 0 || checker.isTupleType(type))
    return checker.typeToString(type, undefined, FLAGS);
  const inner = `${indent}  `;
  const members = properties.map((property) => {
    const optional = property.flags & ts.SymbolFlags.Optional ? '?' : '';
    const text = print(checker, checker.getTypeOfSymbol(property), inner);
    return `${docOf(checker, property, inner)}${inner}${property.name}${optional}: ${text};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}

const isObject = (type: ts.Type): boolean =>
  (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;

function docOf(checker: ts.TypeChecker, symbol: ts.Symbol, indent: string): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  return text === '' ? '' : `${indent}/** ${text.replaceAll('\n', ' ')} */\n`;
}

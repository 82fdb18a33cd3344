/** The fields of `detail` of each event of the element, as the compiler sees them. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { compiled } from './widget-program.js';

const file = fileURLToPath(new URL('../../../widget/events.ts', import.meta.url));

export type PayloadField = { name: string; type: string; optional: boolean };
export type Payload = { event: string; class: string; fields: PayloadField[] };

/** A longer type is shown by its name. */
const MAX_TYPE_CHARACTERS = 40;

let remembered: Payload[] | undefined;

/** Compiles the events once, which takes some seconds. */
export const eventPayloads = (): Payload[] => (remembered ??= readPayloads());

function readPayloads(): Payload[] {
  const { checker, source } = compiled(file);
  const payloads: Payload[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isInterfaceDeclaration(node) &&
      node.name.text === 'GlobalEventHandlersEventMap' &&
      node.getSourceFile() === source
    )
      for (const member of node.members) payloads.push(payloadOf(member, checker));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return payloads;
}

function payloadOf(member: ts.TypeElement, checker: ts.TypeChecker): Payload {
  const type = checker.getTypeAtLocation(member);
  const detail = type.getProperty('detail');
  const shape = detail && checker.getTypeOfSymbol(detail);
  return {
    event: member.name && ts.isStringLiteral(member.name) ? member.name.text : '',
    class: checker.typeToString(type),
    fields: (shape?.getProperties() ?? []).map((property) => {
      const full = checker.typeToString(checker.getTypeOfSymbol(property));
      const alias = property.valueDeclaration?.getText().replace(/^.*?: |;$/gs, '');
      const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      const short = full.length > MAX_TYPE_CHARACTERS ? (alias ?? 'object') : full;
      return { name: property.name, type: short.replace(' | undefined', ''), optional };
    }),
  };
}

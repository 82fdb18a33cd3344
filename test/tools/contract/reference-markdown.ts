/** Pieces of the reference's Markdown: tables, and the fields of a schema. */
import { wireFields, wireFieldsIn } from './wire-texts.js';

/** Escapes vertical bars, because a bar would end the cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map(cell).join(' | ')} |`)
    .join('\n');
export const code = (text: string): string => (text === '' ? '' : `\`${text}\``);

/** A table of codes with cause and cure. */
export const codeTable = (
  codes: Readonly<Record<string, readonly [cause: string, cure: string]>>,
): string =>
  table(
    ['code', 'cause', 'cure'],
    Object.entries(codes).map(([name, [cause, cure]]) => [code(name), cause, cure]),
  );

export type Schema = {
  type?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
};
type Field = { path: string; type: string; optional: boolean };

const variantsOf = ({ anyOf, oneOf, ...rest }: Schema): Schema[] => anyOf ?? oneOf ?? [rest];
/** An order has a section of its own. */
export const isOrder = ({ properties = {} }: Schema): boolean =>
  'next_action' in properties && 'request_id' in properties;

function typeOf(schema: Schema): string {
  const variants = variantsOf(schema);
  if (variants.length > 1) return [...new Set(variants.map(typeOf))].join(' or ');
  const [own = schema] = variants;
  if (isOrder(own)) return '[order](#an-order)';
  if (own.const !== undefined) return code(JSON.stringify(own.const));
  if (own.enum) return own.enum.map((value) => code(JSON.stringify(value))).join(', ');
  if (own.type === 'array') return `list of ${typeOf(own.items ?? {})}`;
  if (own.format === 'date-time') return 'time';
  if (own.type === 'string') return 'text';
  return (own.type ?? 'any') + boundsOf(own);
}

/** An integer without bounds has those of JavaScript. */
function boundsOf({ maximum, minimum }: Schema): string {
  if (minimum === undefined || maximum === undefined) return '';
  return maximum < Number.MAX_SAFE_INTEGER ? `, ${minimum} to ${maximum}` : '';
}

/** The fields of a schema and of the objects in it, by their path. */
function fieldsOf(schema: Schema, prefix = ''): Field[] {
  const variants = variantsOf(schema);
  const found = new Map<string, Field>();
  for (const { properties = {}, required = [] } of variants)
    for (const [name, field] of Object.entries(properties)) {
      const path = `${prefix}${name}`;
      const everywhere = variants.every((each) => each.required?.includes(name));
      const optional = !(everywhere && required.includes(name));
      for (const each of [{ path, type: typeOf(field), optional }, ...inside(field, path)]) {
        const known = found.get(each.path);
        const types = new Set([...(known?.type.split(' or ') ?? []), each.type]);
        found.set(each.path, { ...each, type: [...types].join(' or ') });
      }
    }
  return [...found.values()];
}

/** The fields inside a field: of an object, of a list's items, of one of several forms. */
function inside(field: Schema, path: string): Field[] {
  if (isOrder(field)) return [];
  return variantsOf(field).flatMap((each) => {
    if (isOrder(each)) return [];
    if (each.items) return inside(each.items, `${path}[]`);
    return each.properties ? fieldsOf(each, `${path}.`) : [];
  });
}

/** @returns the text about the field that the end of the path names */
export function wireText(path: string): string {
  const names = path.replaceAll('[]', '').split('.');
  return wireFieldsIn[names.slice(-2).join('.')] ?? wireFields[names.at(-1) ?? ''] ?? '';
}

/**
 * A table of the fields; without fields, a sentence.
 *
 * @param within the name of the operation, or of a field with this schema
 */
export function fieldTable(schema: Schema, within: string): string {
  const rows = fieldsOf(schema).map(({ optional, path, type }) => [
    `${code(path)}${optional ? ' (optional)' : ''}`,
    type,
    wireText(`${within}.${path}`),
  ]);
  return rows.length === 0 ? 'No fields.' : table(['field', 'type', 'what it is'], rows);
}

/** The codes that the source of `pay-checkout` can report, as the compiler reads it. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compiled } from './widget-program.js';

const widget = fileURLToPath(new URL('../../../widget/', import.meta.url));

/** @returns the members of a union of texts that a file exports */
function membersOf(path: string, name: string): string[] {
  const { checker, source } = compiled(widget + path);
  const module = checker.getSymbolAtLocation(source);
  const alias = module && checker.getExportsOfModule(module).find((each) => each.name === name);
  if (!alias) throw new Error(`${path} exports no ${name}`);
  const type = checker.getDeclaredTypeOfSymbol(alias);
  const members = type.isUnion() ? type.types : [type];
  return members.map((member) => {
    if (member.isStringLiteral()) return member.value;
    throw new Error(`${name} has a member that is not a text`);
  });
}

export const problemCodes = (): string[] => membersOf('problem.ts', 'ProblemCode');
export const eventErrorCodesInSource = (): string[] =>
  membersOf('shop/verify-event.ts', 'EventErrorCode');

/** A RelayError takes any text, because it also carries the relay’s codes. */
export function relayErrorCodesInSource(): string[] {
  const folder = `${widget}shop/`;
  return readdirSync(folder).flatMap((file) =>
    [
      ...readFileSync(folder + file, 'utf8').matchAll(
        /new RelayError\(\s*'(\w+)'|\bcode = '(\w+)'/g,
      ),
    ].map(([, thrown, byDefault]) => thrown ?? byDefault ?? ''),
  );
}

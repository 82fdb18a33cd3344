/**
 * The floor check. Each folder of a tree is on a floor, and a file imports only from a lower floor
 * of its tree or from its own folder, so that no cycle of folders can arise. ESLint and
 * dependency-cruiser are not used, because they need a list of forbidden folders for every floor.
 */

/** The paths on each floor, from the lowest; a folder ends with a slash. */
export const RELAY: readonly (readonly string[])[] = [
  ['contract/', 'runtime.ts', 'remember.ts', 'digest.ts', 'utf8.ts'],
  ['order-service/', 'config/', 'qrcode/'],
  ['ledger/', 'intent/', 'http/'],
  ['webhooks/'],
  ['orders/', 'deposits/'],
  ['pay-links/'],
  ['operator/'],
  ['routes/'],
  ['scheduler.ts', 'bind-ledger.ts', 'gauges.ts'],
  ['move-ledger.ts'],
  ['background.ts'],
  ['configured.ts'],
  ['app.ts'],
  ['node/', 'index.ts'],
  ['console/'],
  ['server.ts', 'sandbox/'],
  ['commands/', 'adapters/', 'testing/'],
];
const WIDGET: readonly (readonly string[])[] = [
  ['problem.ts', 'timing.ts', 'loaded-files.ts', 'shop/'],
  ['relay-client.ts'],
  ['load-file.ts'],
  ['texts/', 'browser/', 'events.ts', 'styles/'],
  ['checkout/'],
  ['fragments/', 'begin.ts'],
  ['next-actions/'],
  ['views/'],
  ['element/'],
  ['pay-checkout.ts'],
  ['attributes.ts', 'console/'],
  ['define.ts', 'index.ts', 'react/', 'frameworks/', 'medusa/', 'server/', 'vendure/'],
];
const TREES: Record<string, readonly (readonly string[])[]> = { relay: RELAY, widget: WIDGET };
/** Whoever changes a pay has to know what this file needs. */
export const PAY = 'relay/routes/pay.ts';
const EMPTY_NAMES = /^(utils?|helpers?|common|manager|types|misc)\.ts$/;
const NODE_ALLOWED =
  /^relay\/(server\.ts|node\/|console\/|commands\/|adapters\/|sandbox\/serve\.ts)/;

type Place = { tree: string; floor: number; entry: string };

function placeOf(path: string): Place | null {
  const [tree = '', ...rest] = path.split('/');
  const inside = rest.join('/');
  const floors = TREES[tree];
  if (!floors) return null;
  for (const [floor, entries] of floors.entries()) {
    const entry = entries.find((name) =>
      name.endsWith('/') ? inside.startsWith(name) : inside === name,
    );
    if (entry !== undefined) return { tree, floor, entry };
  }
  return { tree, floor: -1, entry: '' };
}

/**
 * Checks a set of files.
 * @param files source text by path from the repository's root
 * @returns one line per violation
 */
export function violations(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [path, source] of files) {
    const place = placeOf(path);
    if (!place) continue;
    const report = (line: number, text: string): void =>
      void found.push(`${path}:${line}: ${text}`);
    if (place.floor < 0) report(1, 'is on no floor: name it in test/tools/lint/floors.ts');
    if (EMPTY_NAMES.test(path.split('/').at(-1) ?? '')) report(1, 'a file name that says nothing');
    const lines = source.split('\n');
    lines.forEach((line, index) => {
      if (/\bprocess\.(env|argv)\b/.test(line) && !NODE_ALLOWED.test(path))
        report(index + 1, 'reads the process outside server and commands');
      const specifier = specifierIn(line);
      if (specifier === undefined) return;
      const wrong = wrongImport(path, place, specifier);
      if (wrong) report(index + 1, wrong);
    });
  }
  return [...found, ...cycles(files)];
}

/** Each form of an import; the first group is the specifier. */
const IMPORT_FORMS = [
  /^\s*(?:import|export)\b.*?\bfrom '([^']+)'/,
  /^\s*} from '([^']+)'/,
  /^\s*import '([^']+)'/,
  /\bimport\('([^']+)'\)/,
];

const specifierIn = (line: string): string | undefined =>
  IMPORT_FORMS.map((form) => form.exec(line)?.[1]).find((found) => found !== undefined);

function wrongImport(path: string, place: Place, specifier: string): string | null {
  if (specifier.startsWith('node:'))
    return NODE_ALLOWED.test(path) ? null : 'imports from Node outside server and commands';
  if (!specifier.startsWith('.')) return null;
  const target = resolve(path, specifier);
  const other = placeOf(target);
  if (!other) return `imports ${target}: the product must not import demo or test`;
  if (other.tree !== place.tree)
    return place.tree === 'widget' && (other.entry === 'contract/' || isOfConsole(place, target))
      ? null
      : `imports ${target} of another tree`;
  if (other.entry === place.entry || other.floor < place.floor) return null;
  const floor = other.floor === place.floor ? 'the same floor' : 'a higher floor';
  return `imports ${target} from ${floor}`;
}

/** The console shows what the operator's verbs and gauges answer. */
const isOfConsole = ({ entry }: Place, target: string): boolean =>
  entry === 'console/' &&
  ['relay/operator/shapes.ts', 'relay/operator/verbs.ts', 'relay/gauges.ts'].includes(target);

/** Resolves a relative import; `.js` in it names a `.ts` file. */
function resolve(path: string, specifier: string): string {
  const parts = path.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/').replace(/\.js$/, '.ts');
}

/** An import of more than types, which `import type` and lists of types are not. */
const VALUE_IMPORT = /^(?:import|export)\s+(?!type\b)([^;]*?)\s+from '(\.[^']+)';/gm;
const isOfTypes = (names: string): boolean => /^\{\s*(type [^,]+,?\s*)+\}$/.test(names);

/** The files that a file needs in order to run, itself included. */
export function reach(files: ReadonlyMap<string, string>, from: string): Set<string> {
  const found = new Set([from]);
  for (const path of found)
    for (const [, names = '', specifier = ''] of (files.get(path) ?? '').matchAll(VALUE_IMPORT))
      if (!isOfTypes(names)) found.add(resolve(path, specifier));
  return found;
}

function cycles(files: ReadonlyMap<string, string>): string[] {
  const importsOf = (path: string): string[] =>
    [...(files.get(path) ?? '').matchAll(/from '(\.[^']+)'/g)]
      .map(([, specifier = '']) => resolve(path, specifier))
      .filter((target) => files.has(target));
  const state = new Map<string, 'open' | 'done'>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      found.push(`${path}:1: a cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`);
      return;
    }
    state.set(path, 'open');
    for (const target of importsOf(path)) visit(target, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of files.keys()) visit(path, []);
  return found;
}

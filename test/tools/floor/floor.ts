/**
 * Finds what the built script and its style sheets use, and the oldest supported browsers lack. The
 * data of browsers is that of MDN. Syntax is not looked at: the build lowers it (vite.config.ts).
 */
import ts from 'typescript';
import { features } from 'web-features';

/** The same as in vite.config.ts and docs/guides/the-element.md. */
const FLOOR = { safari: 15.4, safari_ios: 15.4, chrome: 100, edge: 100, firefox: 100 } as const;

/** Which version of each browser was the first with a feature, by the feature's key at MDN. */
const supportOf = new Map<string, ReadonlyMap<string, string>>();
for (const feature of Object.values(features))
  if ('status' in feature)
    for (const [key, { support }] of Object.entries(feature.status.by_compat_key ?? {}))
      supportOf.set(key, new Map(Object.entries(support)));

function isNewer(key: string): boolean {
  const support = supportOf.get(key);
  if (support === undefined) return false;
  return Object.entries(FLOOR).some(([browser, version]) => {
    const since = support.get(browser);
    return since === undefined || Number(since.replace('≤', '')) > version;
  });
}

/** The keys of each last word: `any` has those of `AbortSignal.any` and `Promise.any`. */
const keysByName = new Map<string, string[]>();
for (const key of supportOf.keys()) {
  const name = (key.split('.').at(-1) ?? '').replace(/_(static|event)$/, '');
  keysByName.set(name, [...(keysByName.get(name) ?? []), key]);
}

/** @returns one key when every feature of this name is newer than the floor */
function newerOf(name: string, prefix: RegExp): string[] {
  const keys = (keysByName.get(name) ?? []).filter((key) => prefix.test(key));
  return keys.every(isNewer) ? keys.slice(0, 1) : [];
}

const MEMBER = /^(api|javascript\.builtins)\.\w+\.\w+$/;

/** Functions and properties that the script uses. */
export function newerInScript(script: string): string[] {
  const found = new Set<string>();
  const add = (keys: readonly string[]): void => keys.forEach((key) => found.add(key));
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      const { expression, name } = node;
      const owner = ts.isIdentifier(expression) ? expression.text : '';
      const known = [
        `api.${owner}.${name.text}_static`,
        `javascript.builtins.${owner}.${name.text}`,
      ].filter((key) => supportOf.has(key));
      add(known.length > 0 ? known.filter(isNewer) : newerOf(name.text, MEMBER));
    }
    // `Reflect.get` and `in` name a property by a text.
    if (ts.isStringLiteral(node) && /^[a-z]+[A-Z]\w+$/.test(node.text))
      add(newerOf(node.text, MEMBER));
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
      const { text } = node.expression;
      add([`api.${text}`, `api.${text}.${text}`, `javascript.builtins.${text}`].filter(isNewer));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('script.js', script, ts.ScriptTarget.Latest));
  return [...found].sort();
}

/** Features of style sheets whose key does not have their name. */
const BY_PATTERN: Readonly<Record<string, RegExp>> = {
  'css.types.color.color.relative_syntax': /\bcolor\(\s*from\b/,
  'css.types.length.viewport_percentage_units_dynamic': /\d[dsl]v(h|w|i|b)\b/,
  'css.types.length.container_query_length_units': /\dcq\w+\b/,
  'css.at-rules.media.range_syntax': /@media[^{]*[<>]/,
  'css.selectors.nesting': /\{[^{}]*&/,
};

const all = (text: string, pattern: RegExp): RegExpMatchArray[] => [...text.matchAll(pattern)];

/** Properties, values, functions, selectors and rules that a style sheet uses. */
export function newerInStyles(css: string): string[] {
  // A rule for browsers without a feature names the feature in its condition.
  const text = css.replace(/\/\*[^]*?\*\//g, '').replace(/@supports[^{]*\{/g, '@supports{');
  const keys: string[] = [];
  for (const [, property = '', value = ''] of all(text, /(?:^|[;{}])\s*([a-z-]+)\s*:([^;{}]*)/g))
    for (const word of ['', ...(value.match(/(?<![\w-])[a-z][a-z-]*(?![\w(-])/g) ?? [])])
      keys.push(`css.properties.${property}${word && `.${word}`}`);
  for (const [, name = ''] of all(text, /(?<![\w-])([a-z][a-z-]*)\(/g))
    keys.push(...newerOf(name, /^css\.types\./));
  for (const [, name = ''] of all(text, /::?([a-z-]+)(?=[^;{}]*\{)/g))
    keys.push(`css.selectors.${name}`);
  for (const [, name = ''] of all(text, /@([a-z-]+)/g)) keys.push(`css.at-rules.${name}`);
  for (const [condition] of all(text, /@media[^{]*/g))
    for (const [, name = ''] of all(condition, /\(\s*([a-z-]+)/g))
      keys.push(`css.at-rules.media.${name}`);
  for (const [key, pattern] of Object.entries(BY_PATTERN)) if (pattern.test(text)) keys.push(key);
  return [...new Set(keys)].filter(isNewer).sort();
}

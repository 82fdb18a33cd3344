/** The names that the built script shortens belong to the element's own objects alone. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { it } from 'node:test';
import { en } from '../../../widget/texts/en.js';
import { INTERNAL_NAMES } from '../../../vite.config.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const names = INTERNAL_NAMES.trim().split(/\s+/);

/** The code of a folder's files, without comments. */
function codeOf(folder: string, file: RegExp): string {
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => file.test(name))
    .map((name) => readFileSync(`${root}${folder}/${name}`, 'utf8'))
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
}

const wordsOf = (code: string): Set<string> => new Set(code.match(/\w+/g));

/** The properties and methods that classes and interfaces declare, each at the start of a line. */
function membersOf(code: string): Set<string> {
  const members = code.matchAll(/^ +(?:(?:readonly|get|set|static) )*["']?(\w+)["']?\??[:(<]/gm);
  return new Set([...members].map(([, name = '']) => name));
}

for (const [owner, words] of [
  ['the platform', membersOf(codeOf('node_modules/typescript/lib', /^lib\..*\.d\.ts$/))],
  ['Lit', membersOf(codeOf('node_modules/@lit/reactive-element', /\.d\.ts$/))],
  ['Lit’s elements', membersOf(codeOf('node_modules/lit-element', /\.d\.ts$/))],
  ['Lit’s templates', membersOf(codeOf('node_modules/lit-html', /\.d\.ts$/))],
  ['an answer of the relay', wordsOf(codeOf('relay/contract', /\.ts$/))],
  ['an event', wordsOf(codeOf('widget', /^events\.ts$/))],
  ['the element', membersOf(codeOf('widget', /^pay-checkout\.ts$/))],
  ['a text', new Set(Object.keys(en))],
] as const)
  it(`no shortened name is one of ${owner}`, () =>
    assert.deepEqual(
      names.filter((name) => words.has(name)),
      [],
    ));

it('each shortened name is a name of the widget', () => {
  const words = wordsOf(codeOf('widget', /\.ts$/));
  assert.deepEqual(
    names.filter((name) => !words.has(name)),
    [],
  );
});

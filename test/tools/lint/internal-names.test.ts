/** The names that the built script shortens belong to the element's own objects alone. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { it } from 'node:test';
import { INTERNAL_NAMES } from '../../../vite.config.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const names = INTERNAL_NAMES.trim().split(/\s+/);

/** All words of the files of a folder. */
function wordsOf(folder: string, file: RegExp): Set<string> {
  const files = readdirSync(root + folder, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((name) => file.test(name))
    .map((name) => readFileSync(`${root}${folder}/${name}`, 'utf8'));
  return new Set(texts.join(' ').match(/\w+/g));
}

for (const [owner, words] of [
  ['the platform', wordsOf('node_modules/typescript/lib', /^lib\..*\.d\.ts$/)],
  ['Lit', wordsOf('node_modules/@lit/reactive-element', /\.d\.ts$/)],
  ['Lit’s elements', wordsOf('node_modules/lit-element', /\.d\.ts$/)],
  ['Lit’s templates', wordsOf('node_modules/lit-html', /\.d\.ts$/)],
  ['an answer of the relay', wordsOf('relay/contract', /\.ts$/)],
  ['an event', wordsOf('widget', /^events\.ts$/)],
  // its attributes, properties and methods; what is private there keeps its name too
  ['the element', wordsOf('widget', /^pay-checkout\.ts$/)],
] as const)
  it(`no shortened name is one of ${owner}`, () =>
    assert.deepEqual(
      names.filter((name) => words.has(name)),
      [],
    ));

it('each shortened name is a name of the widget', () => {
  const words = wordsOf('widget', /\.ts$/);
  assert.deepEqual(
    names.filter((name) => !words.has(name)),
    [],
  );
});

/** The page about time names the figures of the recorded proof, which a new run replaces. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';

/** The text of a file without its line breaks, which depend on the width of the page. */
const textOf = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8').replace(/\s+/g, ' ');

it('names p50, p99 and maximum of the recorded window in identity-and-time.md', () => {
  const recorded =
    /pays (\d+), written.*?claim to write: p50 ([\d.]+) ms, p99 ([\d.]+) ms .*?maximum ([\d.]+) ms/;
  const [, pays = '', ...figures] = recorded.exec(textOf('test/proofs/README.md')) ?? [];
  const [p50, p99, maximum] = figures;
  assert.equal(figures.length, 3, 'the recorded run of the proof has no figures');
  const sentence =
    `of ${Number(pays).toLocaleString('en')} pays the time from claim to write was ` +
    `${p50} ms (p50), ${p99} ms (p99) and at most ${maximum} ms.`;
  assert.ok(textOf('docs/identity-and-time.md').includes(sentence), sentence);
});

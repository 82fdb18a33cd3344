/** Seeds that run in several processes. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { readOptions } from '../options.js';
import { simulate } from '../simulate.js';

const SEEDS = ['--seeds', '50-51', '--days', '0.02', '--orders', '--table'];

/** What a run prints, without its speed. */
async function printed(context: TestContext, args: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  const log = context.mock.method(console, 'log', (text: string) => void lines.push(text));
  const held = await simulate(readOptions([...SEEDS, ...args], 0));
  log.mock.restore();
  assert.ok(held, lines.join('\n'));
  return lines
    .flatMap((text) => text.split('\n'))
    .map((line) => line.replace(/, \d+ a minute.*;/, ';'))
    .sort();
}

describe('seeds in two processes', () => {
  it('gives the histories and the table of one process when two run the seeds', async (context) => {
    const one = await printed(context, []);
    assert.deepEqual(await printed(context, ['--workers', '2']), one);
    assert.equal(one.filter((line) => line.startsWith('seed ')).length, 2);
  });
});

/** The diagrams of the architecture name the states and the floors that the code has. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcomes } from '../../../relay/contract/outcomes.js';
import { sendings } from '../../../relay/ledger/rows.js';
import { RELAY } from '../lint/floors.js';
import { codeBlocks } from './code-blocks.js';

const diagram = (kind: string): string =>
  codeBlocks('mermaid').find(({ code }) => code.startsWith(kind))?.code ??
  assert.fail(`no diagram is a ${kind}`);

/** The floor of a name in the diagram: `app["app.ts, …"]`, `order-service` or `orders`. */
function floorOf(name: string): number {
  const [, short = name, label] = /^([\w-]+)(?:\["(.*)"\])?$/.exec(name) ?? [];
  const files = label?.split(', ').map((file) => (file.includes('.') ? file : `${file}/`));
  const paths = files ?? [`${short}/`, `${short}.ts`];
  const floor = RELAY.findIndex((entries) => entries.some((entry) => paths.includes(entry)));
  assert.ok(floor >= 0, `${name} is on no floor`);
  return floor;
}

describe('the diagrams of the architecture', () => {
  it('have each state of an order, and no other', () => {
    const named = [...diagram('stateDiagram').matchAll(/^\s*(\w+) --> (\w+)/gm)].flatMap(
      ([, from = '', to = '']) => [from, to],
    );
    // `confirming` is the outcome of an order that the service has not answered yet
    const states = [...sendings, ...outcomes].filter((state) => state !== 'confirming');
    assert.deepEqual([...new Set(named)].sort(), [...new Set(states)].sort());
  });

  it('have the floors of the relay in their order', () => {
    for (const line of diagram('flowchart').split('\n').slice(1)) {
      const rows = line.split(' --> ').map((row) => row.split(' & ').map((name) => name.trim()));
      for (const [index, row] of rows.slice(1).entries())
        for (const upper of row)
          for (const lower of rows[index] ?? [])
            assert.ok(floorOf(lower) < floorOf(upper), `${lower} is below ${upper}`);
    }
  });
});

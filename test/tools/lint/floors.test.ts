/** The floor check allows what its rules allow, and reports every violation of them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PAY, reach, violations } from './floors.js';
import { sourcesOf } from './sources.js';

const check = (files: Record<string, string>): string[] =>
  violations(new Map(Object.entries(files)));
const from = (specifier: string): string => `import { x } from '${specifier}';`;

describe('the floor check', () => {
  for (const [what, files] of [
    ['an import from a lower floor', { 'relay/orders/a.ts': from('../ledger/b.js') }],
    ['an import from its own folder', { 'relay/orders/a.ts': from('./b.js') }],
    [
      'an import of the contract by the widget',
      { 'widget/checkout/a.ts': from('../../relay/contract/b.js') },
    ],
    ['an import of a package', { 'widget/checkout/a.ts': from('lit') }],
    ['an import from Node in a command', { 'relay/commands/a.ts': from('node:fs') }],
  ] as const)
    it(`the floor check allows ${what}`, () => assert.deepEqual(check(files), []));

  for (const [what, files, expected] of [
    [
      'an import from a higher floor',
      { 'relay/ledger/a.ts': from('../orders/b.js') },
      /relay\/ledger\/a\.ts:1: imports relay\/orders\/b\.ts from a higher floor/,
    ],
    [
      'an import from a folder of the same floor',
      { 'relay/http/a.ts': from('../intent/b.js') },
      /the same floor/,
    ],
    [
      'an import of a root file of the same floor',
      { 'widget/define.ts': from('./index.js') },
      /the same floor/,
    ],
    [
      'an import of the widget by the relay',
      { 'relay/orders/a.ts': from('../../widget/checkout/b.js') },
      /another tree/,
    ],
    [
      'an import of the relay’s internals by the widget',
      { 'widget/checkout/a.ts': from('../../relay/config/b.js') },
      /another tree/,
    ],
    ['an import of the demo', { 'relay/orders/a.ts': from('../../demo/b.js') }, /demo or test/],
    ['an import from Node in the app', { 'relay/app.ts': from('node:fs') }, /imports from Node/],
    ['a read of the environment', { 'relay/config/a.ts': 'process.env.X;' }, /reads the process/],
    [
      'a wrong import over several lines',
      { 'relay/ledger/a.ts': "import {\n  x,\n} from '../orders/b.js';" },
      /:3: .*higher floor/,
    ],
    ['a file on no floor', { 'relay/new/a.ts': '' }, /is on no floor/],
    ['a file name without meaning', { 'relay/orders/utils.ts': '' }, /says nothing/],
    [
      'a cycle of imports',
      { 'relay/orders/a.ts': from('./b.js'), 'relay/orders/b.ts': from('./a.js') },
      /a cycle/,
    ],
  ] as const)
    it(`the floor check reports ${what}`, () => assert.match(check(files).join('\n'), expected));
});

describe('the reach of a file', () => {
  it('has each file that it needs once, and none from which it takes only types', () => {
    const files = new Map([
      ['relay/a.ts', "import {\n  type X,\n  y,\n} from './b.js';\nexport { z } from './d.js';"],
      ['relay/b.ts', "import type { X } from './c.js';\nimport { type Y, type Z } from './e.js';"],
      ['relay/d.ts', "import { y } from './b.js';"],
    ]);
    assert.deepEqual([...reach(files, 'relay/a.ts')], ['relay/a.ts', 'relay/b.ts', 'relay/d.ts']);
  });

  it('stays below 45 files for a pay, since whoever changes a pay has to know them', () => {
    const reached = reach(sourcesOf('relay'), PAY);
    assert.ok(reached.size < 45, `${reached.size} files: ${[...reached].join(', ')}`);
  });
});

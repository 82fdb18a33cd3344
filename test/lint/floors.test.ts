/** The floor check finds each way of breaking the house plan. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { violations } from './floors.js';

const check = (files: Record<string, string>): string[] =>
  violations(new Map(Object.entries(files)));
const from = (specifier: string): string => `import { x } from '${specifier}';`;

describe('the floor check', () => {
  for (const [what, files] of [
    ['a lower floor', { 'relay/orders/a.ts': from('../ledger/b.js') }],
    ['its own folder', { 'relay/orders/a.ts': from('./b.js') }],
    [
      'the contract, from the widget',
      { 'widget/checkout/a.ts': from('../../relay/contract/b.js') },
    ],
    ['a package', { 'widget/checkout/a.ts': from('lit') }],
    ['Node, in a command', { 'relay/commands/a.ts': from('node:fs') }],
  ] as const)
    it(`allows ${what}`, () => assert.deepEqual(check(files), []));

  for (const [what, files, expected] of [
    [
      'a higher floor',
      { 'relay/ledger/a.ts': from('../orders/b.js') },
      /relay\/ledger\/a\.ts:1: imports relay\/orders\/b\.ts from a higher floor/,
    ],
    ['a sibling', { 'relay/http/a.ts': from('../intent/b.js') }, /the same floor/],
    ['a sibling file at the root', { 'widget/define.ts': from('./index.js') }, /the same floor/],
    [
      'the widget, from the relay',
      { 'relay/orders/a.ts': from('../../widget/checkout/b.js') },
      /another tree/,
    ],
    [
      'the relay’s inside, from the widget',
      { 'widget/checkout/a.ts': from('../../relay/config/b.js') },
      /another tree/,
    ],
    ['the demo', { 'relay/orders/a.ts': from('../../demo/b.js') }, /demo or test/],
    ['Node in the app', { 'relay/app.ts': from('node:fs') }, /imports from Node/],
    ['the environment', { 'relay/config/a.ts': 'process.env.X;' }, /reads the process/],
    [
      'an import over several lines',
      { 'relay/ledger/a.ts': "import {\n  x,\n} from '../orders/b.js';" },
      /:3: .*higher floor/,
    ],
    ['a file on no floor', { 'relay/new/a.ts': '' }, /stands on no floor/],
    ['an empty name', { 'relay/orders/utils.ts': '' }, /says nothing/],
    ['a long file', { 'relay/orders/a.ts': '\n'.repeat(251) }, /longer than 250/],
    [
      'a cycle',
      { 'relay/orders/a.ts': from('./b.js'), 'relay/orders/b.ts': from('./a.js') },
      /a cycle/,
    ],
  ] as const)
    it(`finds ${what}`, () => assert.match(check(files).join('\n'), expected));
});

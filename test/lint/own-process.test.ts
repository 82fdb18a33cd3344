import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { needsOwnProcess } from '../support/own-process.js';

describe('the process of a file with Node tests', () => {
  for (const line of [
    "import { spawn } from 'node:child_process';",
    "import { startPostgres } from '../support/postgres.js';",
    'process.env.SECRET = "s";',
    "process.on('warning', fail);",
    'globalThis.fetch = refuse;',
    "t.mock.timers.enable({ apis: ['Date'] });",
  ])
    it(`is its own when it contains ${line}`, () => {
      assert.equal(needsOwnProcess(`import { it } from 'node:test';\n${line}\n`), true);
    });

  it('is shared when it imports the relay and calls its functions', () => {
    const source =
      "import { place } from '../../relay/orders/place.js';\nawait place(process.pid);";
    assert.equal(needsOwnProcess(source), false);
  });
});

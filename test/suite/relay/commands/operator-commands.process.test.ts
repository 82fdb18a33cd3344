/** What the operator's commands print, change and refuse, on a ledger on disk. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError } from '../../../../relay/commands/arguments.js';
import { Refusal } from '../../../../relay/operator/refusal.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openOperatorShop } from './operator-shop.js';

const folder = temporaryFolder('operator-commands');

describe('intents close', () => {
  it('refuses an id that no purchase has, unless it is called with --unused', async () => {
    const { close, ledger, pay, run } = await openOperatorShop(folder, 'close');
    const id = await pay('order-10042', 'c-1');
    const mistyped = `${id.slice(0, -1)}${id.endsWith('a') ? 'b' : 'a'}`;
    const closing = (name: string, ...more: string[]): Promise<string> =>
      run('intents', 'close', name, '--by', 'Ann', ...more);
    await assert.rejects(closing(mistyped), (error) => {
      assert.ok(error instanceof Refusal && !(error instanceof UsageError));
      assert.match(error.message, /^no purchase with the id \S+ is known, .*--unused/);
      return true;
    });
    assert.equal(await ledger.intent(mistyped), null);
    assert.match(await closing(id), /^order-10042 closed at /);
    assert.match(await closing('basket-nobody-used', '--unused'), /^basket-nobody-used closed at /);
    assert.equal((await ledger.intent('basket-nobody-used'))?.closed_by, 'Ann');
    await close();
  });
});

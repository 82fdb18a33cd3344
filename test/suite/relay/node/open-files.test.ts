/** The relay checks the limit of open files at its start. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lowFileLimit } from '../../../../relay/node/open-files.js';

describe('the limit of open files', () => {
  const limits = (soft: string): string =>
    `Limit                     Soft Limit           Hard Limit           Units\n` +
    `Max open files            ${soft}                 4096                 files\n`;
  it('names the setting to change when the limit of open files is below 4352', () => {
    const warning = lowFileLimit(256, () => limits('1024')) ?? '';
    assert.match(warning, /may open 1024 files.* needs 4352: write LimitNOFILE=65536/);
    assert.equal(
      lowFileLimit(256, () => limits('4352')),
      null,
    );
    assert.equal(
      lowFileLimit(256, () => limits('unlimited')),
      null,
    );
  });
  it('gives no warning when the limit of open files cannot be read', () => {
    const absent = (): string => {
      throw new Error('ENOENT');
    };
    assert.equal(lowFileLimit(256, absent), null);
    assert.equal(
      lowFileLimit(256, () => ''),
      null,
    );
  });
});

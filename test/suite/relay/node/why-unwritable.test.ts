/** An unwritable place of the ledger is named with its cause, the same by `start` and `check`. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Secret } from '../../../../relay/config/secrets.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { whyLedgerUnusable } from '../../../../relay/node/try-ledger.js';
import { whyUnwritable } from '../../../../relay/node/why-unwritable.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('why-unwritable');
const existing = join(folder, 'existing.db');
writeFileSync(existing, '');

/** The right to a path is refused, as root cannot see it. */
const refusing = (refused: string, code: string) => (path: string) => {
  if (path === refused) throw Object.assign(new Error(), { code });
};

describe('whyUnwritable', () => {
  const user = userInfo().username;
  for (const [what, refused, code, why] of [
    [
      'the folder',
      `${folder}/.`,
      'EACCES',
      `the folder ${folder} cannot be written by user ${user} (EACC`,
    ],
    [
      'the file',
      existing,
      'EACCES',
      `${existing} cannot be written by user ${user} (EACCES); give`,
    ],
    [
      'the disk',
      `${folder}/.`,
      'EROFS',
      `the folder ${folder} is on a read-only file system (EROFS)`,
    ],
  ] as const)
    it(`names path and cause when ${what} refuses with ${code}`, () =>
      assert.ok(whyUnwritable(existing, refusing(refused, code))?.startsWith(why)));

  it('returns null for a file that can be written or made', () => {
    assert.equal(whyUnwritable(existing), null);
    assert.equal(whyUnwritable(join(folder, 'new.db')), null);
  });

  for (const [what, path, why] of [
    ['no folder', join(folder, 'none', 'x.db'), /the folder .*none does not exist \(ENOENT\)/],
    ['a file as its folder', join(existing, 'x.db'), /cannot be written by user .* \(ENOTDIR\)/],
  ] as const)
    it(`is said by start and by check alike when there is ${what}`, async () => {
      const checked = await whyLedgerUnusable(new Secret(`sqlite:${path}`));
      assert.match(checked ?? '', why);
      await assert.rejects(openLedger(`sqlite:${path}`), { message: `ledger: ${checked ?? ''}` });
    });
});

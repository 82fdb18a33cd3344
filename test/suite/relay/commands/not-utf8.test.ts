/** No text that a person wrote is read with replaced characters. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sign } from '../../../../relay/commands/sign.js';
import { readConfigFile } from '../../../../relay/node/read-config-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { SECRETS, testConfig } from '../../support/world.js';

const folder = temporaryFolder('not-utf8');

/** Writes a file as a spreadsheet or an editor does that saves it in ISO-8859-1. */
function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text, 'latin1');
  return file;
}

const tokenKey = (file: string) => ({ kid: 'k1', alg: 'HS256', secret: { file } }) as const;
const config = (name: string, key: string) => ({
  ...testConfig,
  shop: { ...testConfig.shop, name },
  options: testConfig.options?.slice(0, 1),
  secret_key: { file: 'key' },
  order_token_keys: [tokenKey(key)],
});

write('key', SECRETS.TOKEN ?? '');
write('binary', 'Ã¤\xe4'.repeat(16));
const plain = write('plain.json', JSON.stringify(config('Shop', 'key')));

describe('a file that is not UTF-8', () => {
  it('is refused by sign, which names it, when it has the rows', async () => {
    const rows = write('rows.csv', 'amount,currency,product_name,customer_ref_id\n1,USD,Käse,c\n');
    await assert.rejects(sign.run(['--config', plain, rows]), {
      name: 'UsageError',
      message: `${rows}: not UTF-8; save it as UTF-8`,
    });
  });

  for (const [ending, prefix] of [
    ['json', ''],
    ['yaml', ''],
    ['mjs', 'export default '],
  ] as const)
    it(`is refused by name when it is a configuration as ${ending}`, async () => {
      const file = write(`shop.${ending}`, prefix + JSON.stringify(config('Käse', 'key')));
      await assert.rejects(readConfigFile(file), ({ message }: Error) =>
        message.includes(`${file}: not UTF-8; save it as UTF-8`),
      );
    });

  it('is refused by name when it holds a secret', async () => {
    const file = write('secret.json', JSON.stringify(config('Shop', './binary')));
    await assert.rejects(readConfigFile(file), /the file \.\/binary is not UTF-8/);
  });
});

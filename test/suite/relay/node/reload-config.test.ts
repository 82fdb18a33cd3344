/** When the configuration is read again, and what the log says of it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Config } from '../../../../relay/config/schema.js';
import { createReload } from '../../../../relay/node/reload-config.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { testConfig, until } from '../../support/world.js';

const folder = temporaryFolder('reload-config');
const write = (name: string, shop: string): string => {
  const file = join(folder, name);
  const { order_token_keys: _, secret_key: __, ...withoutSecrets } = testConfig;
  writeFileSync(
    file,
    JSON.stringify({ ...withoutSecrets, shop: { ...testConfig.shop, name: shop } }),
  );
  return file;
};

type Lines = Record<string, unknown>[];
const logTo = (lines: Lines) => (level: string, event: string, fields?: object) =>
  void lines.push({ level, event, ...fields });

describe('a reload', () => {
  it('reads the file again after a reload for the signals that came during it', async () => {
    const file = write('last.json', 'first');
    const taken: string[] = [];
    const lines: Lines = [];
    let reload = (): void => {};
    const relay = {
      reload: async ({ shop }: Config) => {
        taken.push(shop.name);
        if (taken.length > 1) return;
        write('last.json', 'second');
        reload();
        reload();
      },
    };
    reload = createReload(file, Promise.resolve(relay), logTo(lines));
    reload();
    await until(() => lines.length === 2, 'two reloads');
    assert.deepEqual(taken, ['first', 'second']);
    const accepted = { level: 'info', event: 'reload', accepted: true };
    assert.deepEqual(lines, [accepted, accepted]);
  });

  it('begins when the relay has started', async () => {
    const file = write('early.json', 'early');
    const lines: Lines = [];
    let start = (_relay: { reload: () => Promise<void> }): void => {};
    const started = new Promise<{ reload: () => Promise<void> }>((resolve) => (start = resolve));
    createReload(file, started, logTo(lines))();
    write('early.json', 'changed during the start');
    start({ reload: async () => {} });
    await until(() => lines.length === 1, 'the reload');
    assert.equal(lines[0]?.accepted, true);
  });

  it('refuses a module, which a process loads only once', async () => {
    const lines: Lines = [];
    const relay = { reload: () => Promise.reject(new Error('called')) };
    createReload(join(folder, 'config.mjs'), Promise.resolve(relay), logTo(lines))();
    await until(() => lines.length === 1, 'the refusal');
    const file = join(folder, 'config.mjs');
    assert.deepEqual(lines, [
      {
        level: 'error',
        event: 'reload',
        accepted: false,
        findings: [`${file}: a module needs a restart of the relay`],
      },
    ]);
  });
});

/** SIGHUP lets a running relay read its configuration again. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { printed, runCommand } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openIntent, SECRETS, testConfig, until } from '../../support/world.js';

const folder = temporaryFolder('reload');
const path = join(folder, 'relay.json');

type ReloadLine = { event: string; accepted: boolean; findings?: string[] };

describe('SIGHUP', () => {
  it('takes a right configuration, and keeps it when others are wrong', async () => {
    const sandbox = runCommand(['sandbox', '--port', '0']);
    const base_url = await printed(sandbox, /sandbox on (http:\S+?),/);
    const [qr, ...others] = testConfig.options ?? [];
    const right: ConfigFile = {
      ...testConfig,
      service: { base_url },
      ledger: `sqlite:${join(folder, 'ledger.db')}`,
    };
    const write = (file: object): void => writeFileSync(path, JSON.stringify(file));
    write(right);
    const running = runCommand(['start', '--port', '0', '--config', path], SECRETS);
    const url = await printed(running, /"url":"(http:[^"]+)"/);
    const reloads = (): ReloadLine[] =>
      running
        .output()
        .split('\n')
        .filter((line) => line.includes('"event":"reload"') && line.endsWith('}'))
        .map((line) => JSON.parse(line) as ReloadLine);
    const reload = async (): Promise<ReloadLine | undefined> => {
      const before = reloads().length;
      running.child.kill('SIGHUP');
      await until(() => reloads().length > before, 'the reload');
      return reloads().at(-1);
    };
    const payByQr = async (): Promise<number> => {
      const pay = { ...openIntent, attempt: crypto.randomUUID(), option: 'qr' };
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(pay) };
      return (await fetch(`${url}/v1/pay`, init)).status;
    };
    assert.equal(await payByQr(), 200);

    write({ ...right, options: [{ ...qr, enabled: false }, ...others] });
    assert.equal((await reload())?.accepted, true);
    assert.equal(await payByQr(), 404);

    const refusals: [() => void, RegExp][] = [
      [() => writeFileSync(path, '{ "mode": '), /relay\.json: not JSON: it ends too early/],
      [() => write({ ...right, colour: 'red' }), /^colour: an unknown field/],
      [() => write({ ...right, secret_key: { env: 'ABSENT' } }), /^secret_key: .*is missing/],
      [() => rmSync(path), /relay\.json: cannot be read \(ENOENT\)/],
      [() => write({ ...right, ledger: 'sqlite:other.db' }), /^ledger: a change needs a restart/],
    ];
    for (const [damage, finding] of refusals) {
      damage();
      const line = await reload();
      assert.equal(line?.accepted, false);
      assert.equal(line.findings?.length, 1);
      assert.match(line.findings[0] ?? '', finding);
      assert.equal(await payByQr(), 404, 'the last right configuration stays');
    }

    write(right);
    assert.equal((await reload())?.accepted, true);
    assert.equal(await payByQr(), 200);
    running.child.kill('SIGTERM');
    assert.equal(await running.code, 0);
  });
});

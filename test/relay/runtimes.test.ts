/** Which code runs outside Node.js, and where the relay refuses to start. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OrderServiceError } from '../../relay/order-service/errors.js';
import { fetchSend } from '../../relay/order-service/send/fetch-send.js';
import { refuseBun } from '../../relay/node/runtime-check.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const IMPORT = /^(?:import|export) (?!type )[^;]*?from '([^']+)'|^import '([^']+)'/gm;

/** The packages that a module needs at run time, by itself or by what it imports. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  for (const [, from, alone] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const specifier = from ?? alone ?? '';
    if (!specifier.startsWith('.')) packages.add(specifier);
    else
      for (const each of packagesOf(join(dirname(file), specifier.replace(/\.js$/, '.ts')), seen))
        packages.add(each);
  }
  return packages;
}

describe('the relay for any runtime', () => {
  it('imports nothing of Node.js, no HTTP client and no database’s driver', () => {
    const packages = [...packagesOf(join(root, 'relay/index.ts'))];
    assert.ok(packages.includes('hono'), 'the imports are found');
    const node = packages.filter((name) =>
      /^(node:|undici|pg|pino|@photostructure|yaml)/.test(name),
    );
    assert.deepEqual(node, []);
    assert.ok(packagesOf(join(root, 'relay/server.ts')).has('undici'), 'it would be found');
  });

  it('sends nothing by fetch when the claim has ended', async () => {
    let calls = 0;
    const send = fetchSend({
      baseUrl: 'https://service.example',
      fetch: async () => {
        calls++;
        return new Response('{}');
      },
    });
    const { signal } = new AbortController();
    await assert.rejects(
      async () => send('/v1/order/pay', '{}', signal, undefined, () => false),
      (error) => error instanceof OrderServiceError && error.kind === 'unreachable',
    );
    assert.equal(calls, 0);
    assert.equal((await send('/v1/order/pay', '{}', signal, undefined, () => true)).status, 200);
  });
});

describe('refuseBun', () => {
  it('refuses Bun with what to do, and no other runtime', () => {
    assert.throws(() => refuseBun({ Bun: {} }), /Node\.js or Deno, or build it with createRelay/);
    refuseBun({ Deno: {} });
    refuseBun();
  });
});

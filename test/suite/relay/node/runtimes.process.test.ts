/** Checks which code runs outside Node.js, and which HTTP client each runtime gets. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OrderServiceError } from '../../../../relay/order-service/errors.js';
import { fetchSend } from '../../../../relay/order-service/send/fetch-send.js';
import { httpClients } from '../../../../relay/node/http-clients.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const IMPORT = /^(?:import|export) (?!type )[^;]*?from '([^']+)'|^import '([^']+)'/gm;

/** The packages that a module needs at run time, directly or through its imports. */
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
  for (const [name, entry, needed] of [
    ['the relay', 'relay/index.ts', 'hono'],
    ['the typed client', 'relay/order-service/index.ts', 'zod'],
  ] as const)
    it(`imports nothing of Node.js, no HTTP client and no database’s driver for ${name}`, () => {
      const packages = [...packagesOf(join(root, entry))];
      assert.ok(packages.includes(needed), 'the imports are found');
      const node = packages.filter((each) => /^(node:|undici|pg|@photostructure|yaml)/.test(each));
      assert.deepEqual(node, []);
    });

  it('finds the imports of the relay on Node.js', () => {
    assert.ok(packagesOf(join(root, 'relay/server.ts')).has('undici'));
  });

  it('sends by fetch on a connection that Bun does not keep', async () => {
    const inits: RequestInit[] = [];
    const send = fetchSend({
      baseUrl: 'https://service.example',
      fetch: async (_url, init) => {
        inits.push(init);
        return new Response('{}');
      },
    });
    await send('/v1/order/payout', '{}', new AbortController().signal);
    assert.deepEqual(
      inits.map(({ keepalive }) => keepalive),
      [false],
    );
  });

  it('sends nothing by fetch when it is too late', async () => {
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
      async () => send('/v1/order/pay', '{}', signal, undefined, () => true),
      (error) => error instanceof OrderServiceError && error.kind === 'unreachable',
    );
    assert.equal(calls, 0);
    assert.equal((await send('/v1/order/pay', '{}', signal, undefined, () => false)).status, 200);
  });
});

describe('the HTTP client of a runtime', () => {
  it('sends with fetch on Bun, and with a pool on Node.js', async () => {
    const options = { baseUrl: 'http://127.0.0.1:9', headers: {} };
    const usedFetch = async (runtime: object): Promise<boolean> => {
      const { fetch } = globalThis;
      let used = false;
      globalThis.fetch = async (_url, init) => {
        used = true;
        assert.equal(init?.keepalive, false, 'a kept connection could end under a pay');
        return new Response('{}');
      };
      const clients = httpClients(options, runtime);
      const { signal } = new AbortController();
      await Promise.resolve(clients.send('/v1/order/pay', '{}', signal)).catch(() => {});
      globalThis.fetch = fetch;
      await clients.close();
      return used;
    };
    assert.equal(await usedFetch({ Bun: {} }), true);
    assert.equal(await usedFetch({}), false);
  });

  it('refuses Deno’s own fetch, because it may send a pay twice', () => {
    const options = { baseUrl: 'https://service.example' };
    assert.throws(() => fetchSend(options, { Deno: {} }), /may send a request twice/);
    fetchSend({ ...options, fetch: async () => new Response('{}') }, { Deno: {} });
  });
});

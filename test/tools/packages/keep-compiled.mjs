/**
 * `node keep-compiled.mjs FOLDER` starts the built command of the folder as a relay, and keeps the
 * code that V8 compiled until the relay was ready. A later start compiles none of it again.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const PAUSE_MS = 20;
const MAX_TRIES = 1500;

const folder = pathToFileURL(`${resolve(process.argv[2])}/`);
const { load } = await import(new URL('load-command.mjs', folder).href);
const work = mkdtempSync(join(tmpdir(), 'keep-compiled-'));
const config = join(work, 'relay.config.json');
const port = await freePort();

process.env.KEY = 'a-key-that-only-this-start-of-the-build-has';
writeFileSync(
  config,
  JSON.stringify({
    mode: 'test',
    service: { base_url: `http://127.0.0.1:${port}` },
    shop: { name: 'Shop', origins: ['http://localhost'] },
    public_url: `http://localhost:${port}`,
    ledger: `sqlite:${join(work, 'ledger.db')}`,
    options: [{ id: 'card', label: 'Card', payment_method: 'on_line' }],
    statuses: { 20: 'succeeded' },
    links: { hosts: ['localhost'] },
    order_token_keys: [{ kid: 'k', alg: 'HS256', secret: { env: 'KEY' } }],
    secret_key: { env: 'KEY' },
    capability_keys: [{ kid: 'c', secret: { env: 'KEY' } }],
    operator: { port: 0, key: { env: 'KEY' } },
  }),
);
process.argv.splice(2, 1, 'start', '--config', config, '--port', String(port));
const command = load(new URL('command.cjs', folder));
command.run();
await isReady();
// V8 takes code only with the flags that it was written with, and the command sets this one later
setFlagsFromString('--heap-growing-percent=0');
command.writeCache();
rmSync(work, { recursive: true });
process.exit(0);

function freePort() {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address();
      server.close(() => found(free));
    });
  });
}

async function isReady() {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = await fetch(`http://localhost:${port}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((wait) => setTimeout(wait, PAUSE_MS));
  }
  throw new Error('the built command is not ready');
}

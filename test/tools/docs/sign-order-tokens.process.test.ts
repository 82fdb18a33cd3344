/**
 * The guide's programs sign tokens that the relay accepts. A program runs when this machine has its
 * language and the library that it uses; the others are only compared as text.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createWorld, SECRETS } from '../../suite/support/world.js';

const guide = fileURLToPath(new URL('../../../docs/guides/sign-order-tokens/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'guide-'));
after(() => rmSync(folder, { recursive: true }));

type Run = { command: string; args: string[]; env?: Record<string, string> };

/** Debian has version 4 of the Go library, with the same interface and no module path. */
function goFile(): string {
  const file = join(folder, 'main.go');
  writeFileSync(
    file,
    readFileSync(`${guide}go.go`, 'utf8').replaceAll('golang-jwt/jwt/v5', 'golang-jwt/jwt'),
  );
  return file;
}

const languages: Record<string, { has: Run[]; run: (found: Run) => Run }> = {
  node: {
    has: [{ command: process.execPath, args: ['--version'] }],
    run: ({ command }) => ({ command, args: [`${guide}node.mjs`] }),
  },
  php: {
    has: [{ command: 'php', args: ['--version'] }],
    run: ({ command }) => ({ command, args: [`${guide}php.php`] }),
  },
  python: {
    has: ['python3', '/usr/bin/python3'].map((command) => ({
      command,
      args: ['-c', 'import jwt; jwt.encode'],
    })),
    run: ({ command }) => ({ command, args: [`${guide}python.py`] }),
  },
  ruby: {
    has: [{ command: 'ruby', args: ['-e', 'require "jwt"'] }],
    run: ({ command }) => ({ command, args: [`${guide}ruby.rb`] }),
  },
  go: {
    has: [
      {
        command: 'go',
        args: ['list', 'github.com/golang-jwt/jwt'],
        env: { GO111MODULE: 'off', GOPATH: '/usr/share/gocode' },
      },
    ],
    run: ({ command, env = {} }) => ({ command, args: ['run', goFile()], env }),
  },
  java: {
    has: [{ command: 'java', args: ['-cp', '/usr/share/java/java-jwt.jar', 'com.auth0.jwt.JWT'] }],
    run: ({ command }) => ({
      command,
      args: ['-cp', '/usr/share/java/java-jwt.jar', `${guide}Java.java`],
    }),
  },
};

const start = ({ args, command, env }: Run): { ok: boolean; output: string } => {
  const home = { PATH: process.env.PATH, HOME: folder, GOCACHE: join(folder, 'go') };
  const { status, stderr, stdout } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...home, ORDER_TOKEN_KEY: SECRETS.TOKEN, ...env },
  });
  return { ok: status === 0, output: stdout + stderr };
};

const languagesHere = Object.entries(languages).flatMap(([language, { has, run }]) => {
  const found = has.find((probe) => start(probe).ok);
  return found ? [{ language, run: () => start(run(found)) }] : [];
});
const names = languagesHere.map(({ language }) => language);
console.log(`programs of the order token guide that run here: ${names.join(', ')}`);

describe('the guide to order tokens', () => {
  for (const { language, run } of languagesHere)
    it(`the ${language} program signs a token that the relay accepts`, async () => {
      const { ok, output } = run();
      assert.ok(ok, output);
      const world = createWorld();
      const { body, status } = await world.ask('/v1/pay', {
        order_token: output.trim(),
        attempt: crypto.randomUUID(),
        option: 'qr',
      });
      assert.deepEqual(
        [status, body.order?.intent_id, body.order?.amount],
        [200, 'order-10042', '19.90'],
        JSON.stringify(body),
      );
    });
  for (const name of ['node.mjs', 'php.php', 'python.py', 'ruby.rb', 'go.go', 'Java.java'])
    it(`${name} signs the same claims as the other programs`, () => {
      const program = readFileSync(guide + name, 'utf8');
      for (const fact of [
        'order-10042',
        'https://shop.example/pay',
        '19.90',
        'USD',
        'T-shirt',
        'customer-42',
        'pay-order+jwt',
        'ORDER_TOKEN_KEY',
      ])
        assert.ok(program.includes(fact), fact);
    });
});

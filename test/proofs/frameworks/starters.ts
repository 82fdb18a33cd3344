/**
 * Makes the shop of an environment: the unmodified project of the framework's starter, with the
 * files of our quick start. It stands outside the repository, so that it finds no package here.
 */
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Environment } from './environments.js';
import { here, run } from './serve.js';

const NPM = 'npm install --no-audit --no-fund --prefer-offline';

/** The starter's question for a name of the project is answered by this one. */
const PROJECT = 'shop';

/** The addresses of the shop and of its relay in the quick starts. */
const QUICK_START_ORIGIN = 'http://localhost:3000';
const QUICK_START_RELAY = 'http://localhost:8787';

const filesOf = (name: string): string => join(here, 'apps', name);

function runOrThrow(command: string, folder: string): void {
  const failure = run(command, folder);
  if (failure !== null) throw new Error(failure);
}

export type Shop = {
  folder: string;
  /** Writes the files of the quick start, for a shop and a relay at these addresses. */
  writeFiles(origin: string, relay: string): void;
  remove(): void;
};

/** @param name of the folder in apps/ that has the files of the quick start */
export function newShop(name: string): Shop {
  const outside = mkdtempSync(join(tmpdir(), `${name}-`));
  const folder = join(outside, PROJECT);
  const files = filesOf(name);
  return {
    folder,
    writeFiles: (origin, relay) => {
      cpSync(files, folder, { recursive: true });
      for (const path of readdirSync(files, { recursive: true, encoding: 'utf8' })) {
        if (!statSync(join(files, path)).isFile()) continue;
        const text = readFileSync(join(files, path), 'utf8');
        const changed = text
          .replaceAll(QUICK_START_ORIGIN, origin)
          .replaceAll(QUICK_START_RELAY, relay);
        writeFileSync(join(folder, path), changed);
      }
    },
    // a command that was stopped may still write for a moment
    remove: () => rmSync(outside, { recursive: true, force: true, maxRetries: 10 }),
  };
}

/** @throws Error when the starter fails, or an install */
export function makeShop(
  { folder }: Shop,
  { build, edit, folder: name, packages = [], starter, types }: Environment,
  packed: readonly string[],
): void {
  if (starter === null) cpSync(filesOf(name), folder, { recursive: true });
  else runOrThrow(`${starter.replace('PROJECT', PROJECT)} </dev/null`, dirname(folder));
  if (build !== null || types !== null)
    for (const command of [NPM, `${NPM} ${[...packages, ...packed].join(' ')}`])
      runOrThrow(command, folder);
  if (!edit) return;
  const file = join(folder, edit.file);
  const text = readFileSync(file, 'utf8');
  if (!text.includes(edit.from)) throw new Error(`${edit.file} of the starter has changed`);
  writeFileSync(file, text.replace(edit.from, edit.to));
}

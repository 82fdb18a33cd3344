/** The folder that `init` writes into. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../node/message-of.js';

/** @throws Error with a sentence when nothing can be written below the folder */
export function checkFolder(folder: string): void {
  const parent = nearest(folder);
  if (!statSync(parent).isDirectory())
    throw new Error(`${parent}: is no folder; choose another place with --file`);
  inWords(parent, () => accessSync(parent, constants.W_OK));
}

/** One folder at a time: below /proc the recursive form of Node.js never ends. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  inWords(folder, () => mkdirSync(folder));
}

const nearest = (folder: string): string =>
  existsSync(folder) ? folder : nearest(dirname(folder));

/** @throws Error that says what could not be written */
export function inWords<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const why = messageOf(error).split(',')[0] ?? '';
    throw new Error(`${path}: cannot be written (${why}); choose another place with --file`);
  }
}

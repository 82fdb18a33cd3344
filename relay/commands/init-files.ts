/** The files that `init` writes. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { messageOf } from '../node/message-of.js';

export type NewFile = { readonly path: string; readonly text: string; readonly mode?: number };

/** @throws Error with a sentence when nothing can be written below the folder */
export function checkFolder(folder: string): void {
  const parent = nearest(folder);
  if (!statSync(parent).isDirectory())
    throw new Error(`${parent}: is no folder; choose another place with --file`);
  inWords(parent, () => accessSync(parent, constants.W_OK));
}

/**
 * Writes all files and their folders, or none: the next `init` is refused where a part exists.
 *
 * @throws Error that says what could not be written
 */
export function writeFiles(files: readonly NewFile[]): void {
  const made: string[] = [];
  try {
    for (const { mode, path, text } of files) {
      makeFolder(dirname(path), made);
      inWords(path, () => {
        // fails where a file exists, which is not removed then
        closeSync(openSync(path, 'wx', mode));
        made.push(path);
        writeFileSync(path, text);
      });
    }
  } catch (error) {
    for (const path of made.reverse()) rmSync(path, { recursive: true });
    throw error;
  }
}

const SCHEMA = 'node_modules/pay-checkout-relay/dist/config.schema.json';

/** @returns where the configuration's schema is as seen from the folder; null when not installed */
export function schemaFrom(folder: string, below = folder): string | null {
  const schema = join(below, SCHEMA);
  if (existsSync(schema)) {
    const path = relative(folder, schema).replaceAll(sep, '/');
    return path.startsWith('.') ? path : `./${path}`;
  }
  return dirname(below) === below ? null : schemaFrom(folder, dirname(below));
}

/** One folder at a time: below /proc the recursive form of Node.js never ends. */
function makeFolder(folder: string, made: string[]): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), made);
  inWords(folder, () => mkdirSync(folder));
  made.push(folder);
}

const nearest = (folder: string): string =>
  existsSync(folder) ? folder : nearest(dirname(folder));

/** @throws Error that says what could not be written */
function inWords(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const why = messageOf(error).split(',')[0] ?? '';
    throw new Error(`${path}: cannot be written (${why}); choose another place with --file`);
  }
}

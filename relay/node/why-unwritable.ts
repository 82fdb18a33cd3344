/** Why a ledger's file cannot be written; `start` and `check` say the same. */
import { accessSync, constants, existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, sep } from 'node:path';
import { codeOf } from './message-of.js';

type Access = (path: string, mode: number) => void;

/** @returns null when the file can be written, or can be made in its folder */
export function whyUnwritable(file: string, access: Access = accessSync): string | null {
  const folder = dirname(file);
  const why = (what: string, path: string): string | null => {
    const code = codeOfAccess(path, access);
    if (code === null) return null;
    if (code === 'ENOENT') return `${what} does not exist (ENOENT); create it`;
    if (code === 'EROFS') return `${what} is on a read-only file system (EROFS); make it writable`;
    return `${what} cannot be written by ${userName()} (${code}); give this user the right`;
  };
  return (
    // SQLite writes more files beside the ledger; the dot finds a file in the folder's place
    why(`the folder ${folder}`, `${folder}${sep}.`) ?? (existsSync(file) ? why(file, file) : null)
  );
}

function codeOfAccess(path: string, access: Access): string | null {
  try {
    access(path, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    return codeOf(error, 'unknown');
  }
}

/** A container may run a user that has no name. */
function userName(): string {
  try {
    return `user ${userInfo().username}`;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

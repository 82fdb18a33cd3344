/** Runs a command of `pay-checkout-relay` in this process, which is faster than a new one. */
import assert from 'node:assert/strict';
import { commands } from '../../../relay/commands/command-table.js';

/** The error of a command, with what it printed before. */
export type PrintedError = Error & { printed: string };

/**
 * @param args the name of the command first
 * @returns what it prints
 */
export async function runHere(args: readonly string[]): Promise<string> {
  const [name = '', ...rest] = args;
  const command = Object.entries(commands).find(([each]) => each === name)?.[1];
  assert.ok(command, `no command ${name}`);
  const written: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = (text: string | Uint8Array) => {
    written.push(String(text));
    return true;
  };
  try {
    await command.run(rest);
  } catch (error) {
    throw Object.assign(error as Error, { printed: written.join('') });
  } finally {
    process.stdout.write = write;
  }
  return written.join('');
}

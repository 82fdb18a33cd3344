/** Runs the commands of pay-checkout-relay as an operator does: as processes of their own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RELAY_COMMAND } from './relay-command.js';
import { until } from './wait.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

export type Run = {
  child: ChildProcess;
  /** What the process has written to stdout and stderr. */
  output: () => string;
  code: Promise<number | null>;
};

/** @param before a program and its arguments that start the command, such as a shell */
export function runCommand(
  args: readonly string[],
  env: Record<string, string> = {},
  before: readonly string[] = [],
): Run {
  const command = [process.execPath, ...RELAY_COMMAND, ...args];
  const [program = '', ...rest] = [...before, ...command];
  const child = spawn(program, rest, { cwd: root, env: { PATH: process.env.PATH, ...env } });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    child,
    output: () => output,
    code: new Promise((resolve) => child.on('close', resolve)),
  };
}

/** @returns the first group of the pattern, once the process has written it */
export async function printed(running: Run, pattern: RegExp): Promise<string> {
  const found = (): string | undefined => pattern.exec(running.output())?.[1];
  await until(() => found() !== undefined, String(pattern)).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${running.output()}`);
  });
  return found() ?? '';
}

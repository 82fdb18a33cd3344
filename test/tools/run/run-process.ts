/** Runs a stage in a process of its own, with a limit, and measures its CPU time. */
import { spawn, type ChildProcess } from 'node:child_process';
import { BUILT_ALREADY } from '../../suite/support/built-widget.js';
import { root } from './test-files.js';

/** A stage that runs longer is taken for hung and killed. */
const MAX_STAGE_MS = 40 * 60_000;
/**
 * The shell's `times` counts the CPU time of the process and of its ended children, which Node
 * cannot. It writes two lines to the fourth channel; the second one is about the children.
 */
const MEASURED = '"$0" "$@" 3>&-; code=$?; times >&3; exit $code';

export type Ran = { code: number; output: string; seconds: number; cpuSeconds: number };

const running = new Set<ChildProcess>();

/** Ends the stage's process group, with every process that its tests left running. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // the group has already ended
  }
}

export function killAll(): void {
  for (const child of running) killGroup(child);
}

/** Reads `0m12.340000s 0m1.200000s` of the second line. */
function cpuSeconds(times: string): number {
  const [, children = ''] = times.trim().split('\n');
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0);
}

/** @param args of Node; the output is collected, because several stages run at a time */
export function runProcess(name: string, args: readonly string[]): Promise<Ran> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', MEASURED, process.execPath, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, [BUILT_ALREADY]: '1' },
    });
    running.add(child);
    let output = '';
    let times = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.stdio[3]?.on('data', (chunk: Buffer) => {
      times += chunk.toString();
    });
    const limit = setTimeout(() => {
      output += `\n${name}: ended after its limit of ${MAX_STAGE_MS / 60_000} minutes\n`;
      killGroup(child);
    }, MAX_STAGE_MS);
    // a process that outlives its test would keep the output open, so `close` would never fire
    child.on('exit', () => killGroup(child));
    child.on('close', (code) => {
      clearTimeout(limit);
      running.delete(child);
      const seconds = (performance.now() - started) / 1000;
      resolve({ code: code ?? 1, output, seconds, cpuSeconds: cpuSeconds(times) });
    });
  });
}

/** CPU time, memory and medians of processes on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** A thread or process that ends while it is read counts as absent. */
function readOr<T>(read: () => T, absent: T): T {
  try {
    return read();
  } catch {
    return absent;
  }
}

/**
 * The CPU time of all threads of a process, in microseconds, as the kernel's scheduler counts it.
 * Unlike wall-clock time it does not grow while other processes use the core.
 */
export function cpuMicros(pid: number): number {
  const threads = readOr(() => readdirSync(`/proc/${pid}/task`), []);
  const nanos = threads.map((thread) => {
    const text = readOr(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), '0');
    return Number(text.split(' ')[0]);
  });
  return nanos.reduce((sum, each) => sum + each, 0) / 1000;
}

/** The process and all processes that it started. */
function tree(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  const children = readOr(() => readFileSync(file, 'utf8'), '')
    .split(' ')
    .filter(Boolean);
  return [pid, ...children.flatMap((child) => tree(Number(child)))];
}

/** The same for a process and all processes that it started. */
export const cpuMicrosOfTree = (pid: number): number =>
  tree(pid).reduce((sum, each) => sum + cpuMicros(each), 0);

/** @returns a function that returns the part of all cores that was idle since this call */
export function idleShare(): () => number {
  const read = (): { idle: number; all: number } => {
    // user, nice, system, idle, iowait, irq, softirq, steal
    const times = readFileSync('/proc/stat', 'utf8')
      .split('\n')[0]
      ?.trim()
      .split(/\s+/)
      .slice(1, 9);
    const ticks = (times ?? []).map(Number);
    return {
      idle: (ticks[3] ?? 0) + (ticks[4] ?? 0),
      all: ticks.reduce((sum, each) => sum + each, 0),
    };
  };
  const before = read();
  return () => {
    const after = read();
    return (after.idle - before.idle) / Math.max(1, after.all - before.all);
  };
}

/** The resident memory of a process, in MiB. */
export function residentMiB(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024;
}

/** The same for a process and all processes that it started. */
export const residentMiBOfTree = (pid: number): number =>
  tree(pid).reduce((sum, each) => sum + residentMiB(each), 0);

/** The middle value, with the lowest and the highest. */
export type Spread = { median: number; low: number; high: number };

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? 0;
  const half = (sorted.length - 1) / 2;
  const median = (at(Math.floor(half)) + at(Math.ceil(half))) / 2;
  return { median, low: at(0), high: at(sorted.length - 1) };
}

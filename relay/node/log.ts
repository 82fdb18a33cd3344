/**
 * The log: one JSON line per event, on stdout for info and on stderr for warnings and errors.
 *
 * A blocking write to a pipe that nobody reads, or the exception of a full disk, would stop the
 * relay in the middle of a payment. So a line that cannot be written waits in a bounded buffer.
 * Lines for which the buffer has no room are dropped and counted.
 */
import { constants, fstatSync, openSync, writeSync, type Stats } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import type { Log } from '../runtime.js';

/** Size of the lines that wait for one reader. */
const MAX_BUFFERED_BYTES = 1_048_576;
/** Delay before a failed write is retried. */
const RETRY_MS = 100;
/** How long the process waits at its end for the readers of the log. */
const FLUSH_WITHIN_MS = 1000;

let lost = 0;
const opened = new Map<1 | 2, Sink>();

/**
 * Opens a stream at its first line, so that a program with its own log keeps its streams untouched.
 */
function sinkOf(stream: 1 | 2): Sink {
  // two writers to one pipe would interrupt each other's lines when it is full
  const fd = stream === 2 && haveSameTarget() ? 1 : stream;
  const known = opened.get(fd);
  if (known) return known;
  const sink = openSink(fd);
  opened.set(fd, sink);
  return sink;
}

/**
 * Callers pass request_ids, codes and counts, but never personal data or a credential. The function
 * never waits and never throws: a payment must not stop because its line cannot be written.
 */
export const log: Log = (level, event, fields = {}) => {
  try {
    const line = JSON.stringify({ level, time: new Date().toISOString(), event, ...fields });
    sinkOf(level === 'info' ? 1 : 2).write(`${line}\n`);
  } catch {
    lost++;
  }
};

/** Number of lines dropped since the process began. */
export const droppedLogLines = (): number => lost;

/** Writes the waiting lines before the process ends, but does not wait for a stuck reader. */
export async function flushLog(): Promise<void> {
  const all = Promise.all([...opened.values()].map((sink) => sink.flushed()));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, FLUSH_WITHIN_MS);
  });
  await Promise.race([all, late]);
  clearTimeout(timer);
}

type Sink = {
  write(line: string): void;
  /** Settles when the lines are written or a file write fails. A stuck reader keeps it pending. */
  flushed(): Promise<void>;
};

function openSink(fd: 1 | 2): Sink {
  const kind = kindOf(fd);
  const newFd = kind === 'pipe' || kind === 'terminal' ? reopened(fd) : null;
  if (kind === 'pipe' && newFd !== null)
    return streamSink(new Socket({ fd: newFd, readable: false, writable: true }).unref());
  if (kind === 'pipe' || kind === 'socket')
    return streamSink(fd === 1 ? process.stdout : process.stderr);
  return fileSink(newFd ?? fd);
}

function kindOf(fd: number): 'pipe' | 'socket' | 'terminal' | 'file' {
  if (isatty(fd)) return 'terminal';
  const found = stats(fd);
  if (found?.isFIFO()) return 'pipe';
  return found?.isSocket() ? 'socket' : 'file';
}

/** Whether stdout and stderr have the same target, as after `2>&1`. */
function haveSameTarget(): boolean {
  const [out, err] = [stats(1), stats(2)];
  return out !== null && out.ino === err?.ino && out.dev === err.dev;
}

function stats(fd: number): Stats | null {
  try {
    return fstatSync(fd);
  } catch {
    return null;
  }
}

/**
 * Opens a pipe or a terminal again, so that writes to it do not block. Every process that inherited
 * the given descriptor shares its blocking mode and may change it, so this one needs its own.
 *
 * @returns null when the target cannot be opened again
 */
function reopened(fd: number): number | null {
  const { O_NOCTTY, O_NONBLOCK, O_WRONLY } = constants;
  try {
    return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // no /proc, or a pipe of another user
    return null;
  }
}

/** For pipes and sockets: Node writes to them without blocking, and queues the unread lines. */
function streamSink(stream: Writable): Sink {
  // without a listener, the EPIPE after a reader has exited would end the process
  stream.on('error', () => {});
  let isCorked = false;
  const uncork = (): void => {
    if (!isCorked) return;
    isCorked = false;
    stream.uncork();
  };
  process.once('exit', uncork);
  return {
    write: (line) => {
      if (stream.writableLength + line.length > MAX_BUFFERED_BYTES) return void lost++;
      if (!isCorked) {
        // one system call for the lines of all requests that are answered in this turn
        isCorked = true;
        stream.cork();
        setImmediate(uncork);
      }
      stream.write(line, (error) => {
        if (error) lost++;
      });
    },
    flushed: () => new Promise((resolve) => stream.write('', () => resolve())),
  };
}

/** For files and devices: writes at once, and retries a failed write later. */
function fileSink(fd: number): Sink {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let retry: NodeJS.Timeout | undefined;

  const drain = (): void => {
    retry = undefined;
    if (waiting.length === 0) return;
    const all = Buffer.concat(waiting);
    let written = 0;
    try {
      written = writeSync(fd, all);
    } catch {
      // ENOSPC, EAGAIN or a similar error: the lines wait for the retry
    }
    bytes -= written;
    waiting = bytes === 0 ? [] : [all.subarray(written)];
    if (bytes > 0) retry = setTimeout(drain, RETRY_MS).unref();
  };
  return {
    write: (line) => {
      const next = Buffer.from(line);
      if (bytes + next.length > MAX_BUFFERED_BYTES) return void lost++;
      waiting.push(next);
      bytes += next.length;
      // while a retry is due, do not attempt a failing write for every new line
      if (retry === undefined) drain();
    },
    flushed: async () => {
      clearTimeout(retry);
      drain();
    },
  };
}

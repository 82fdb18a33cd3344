/**
 * Writes log lines without ever waiting for their reader.
 *
 * A blocking write to a pipe that nobody reads, or an exception of a full disk, would stop the
 * relay in the middle of a payment. So a line that cannot be written waits in a bounded buffer, and
 * what the buffer cannot hold is dropped and counted.
 */
import { constants, fstatSync, openSync, writeSync, type Stats } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';

/** Lines that wait for one reader, in bytes. */
const MAX_BUFFERED_BYTES = 1_048_576;
/** When a failed write is retried. */
const RETRY_MS = 100;

export type Sink = {
  write(line: string): void;
  /** Settles when all lines are written, or never will be. */
  flushed(): Promise<void>;
};

/** @param dropped called with the number of dropped lines */
export function openSink(fd: 1 | 2, dropped: (lines: number) => void): Sink {
  const kind = kindOf(fd);
  const own = kind === 'pipe' || kind === 'terminal' ? reopened(fd) : null;
  if (kind === 'pipe' && own !== null)
    return streamSink(new Socket({ fd: own, readable: false, writable: true }).unref(), dropped);
  if (kind === 'pipe' || kind === 'socket')
    return streamSink(fd === 1 ? process.stdout : process.stderr, dropped);
  return fileSink(own ?? fd, dropped);
}

function kindOf(fd: number): 'pipe' | 'socket' | 'terminal' | 'file' {
  if (isatty(fd)) return 'terminal';
  const found = stats(fd);
  if (found?.isFIFO()) return 'pipe';
  return found?.isSocket() ? 'socket' : 'file';
}

/** Whether both streams of the process have one target, as after `2>&1`. */
export function leadToOnePlace(): boolean {
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
 * A pipe or a terminal opened once more, so that writes to it do not block. Whether the given
 * descriptor blocks is shared with every process that inherited it, and any of them may change it.
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

/** Pipes and sockets: Node writes to them without blocking, and queues what the reader leaves. */
function streamSink(stream: Writable, dropped: (lines: number) => void): Sink {
  // without a listener a reader that went away would end the process with EPIPE
  stream.on('error', () => {});
  return {
    write: (line) => {
      if (stream.writableLength + line.length > MAX_BUFFERED_BYTES) return dropped(1);
      stream.write(line, (error) => {
        if (error) dropped(1);
      });
    },
    flushed: () => new Promise((resolve) => stream.write('', () => resolve())),
  };
}

/** Files and devices: one write at once, and again later when it failed. */
function fileSink(fd: number, dropped: (lines: number) => void): Sink {
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
      // ENOSPC, EAGAIN and the like: the lines wait for the retry
    }
    bytes -= written;
    waiting = bytes === 0 ? [] : [all.subarray(written)];
    if (bytes > 0) retry = setTimeout(drain, RETRY_MS).unref();
  };
  return {
    write: (line) => {
      const next = Buffer.from(line);
      if (bytes + next.length > MAX_BUFFERED_BYTES) return dropped(1);
      waiting.push(next);
      bytes += next.length;
      // while a retry is due, a flood of lines must not become a flood of failing writes
      if (retry === undefined) drain();
    },
    flushed: async () => {
      clearTimeout(retry);
      drain();
    },
  };
}

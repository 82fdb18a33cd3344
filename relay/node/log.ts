/** The log: one JSON line per event, on stdout for info and on stderr for warnings and errors. */
import type { Log } from '../runtime.js';
import { haveSameTarget, openSink, type Sink } from './log-sink.js';

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
  const sink = openSink(fd, (lines) => (lost += lines));
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

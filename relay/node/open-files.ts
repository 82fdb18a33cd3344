/** Checks whether the process may open as many connections as a busy checkout needs. */
import { readFileSync } from 'node:fs';

/** Each waiting customer holds a connection, in addition to those to the order service. */
const EXPECTED_CUSTOMERS = 4096;

/**
 * @param connections to the order service
 * @param readLimits the system's table of limits, as Linux writes it
 * @returns what to change; null when the limit suffices or is not known
 */
export function lowFileLimit(
  connections: number,
  readLimits: () => string = () => readFileSync('/proc/self/limits', 'utf8'),
): string | null {
  let limits: string;
  try {
    limits = readLimits();
  } catch {
    return null;
  }
  const soft = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  const needed = EXPECTED_CUSTOMERS + connections;
  if (!(soft < needed)) return null;
  return (
    `the process may open ${soft} files, and a busy checkout needs ${needed}: write ` +
    `LimitNOFILE=65536 into its systemd unit, or run ulimit -n 65536 before it starts`
  );
}

/** Whether the process may hold as many connections as a busy checkout has. */
import { readFileSync } from 'node:fs';

/** Customers that wait at once hold a connection each, beside those to the order service. */
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

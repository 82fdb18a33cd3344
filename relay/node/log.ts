/** The log: one JSON line per event on stdout, warnings and errors on stderr. */
import pino from 'pino';
import type { Log } from '../orders/context.js';

const level = {
  formatters: { level: (label: string) => ({ level: label }) },
  timestamp: pino.stdTimeFunctions.isoTime,
  base: null,
};
const out = pino(level, pino.destination({ fd: 1, sync: true }));
const err = pino(level, pino.destination({ fd: 2, sync: true }));

/** Callers hand over request_ids, codes and counts: never personal data, never a credential. */
export const log: Log = (severity, event, fields = {}) => {
  const line = { event, ...fields };
  if (severity === 'info') out.info(line);
  else err[severity](line);
};

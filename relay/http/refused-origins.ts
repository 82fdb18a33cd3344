/**
 * Logs each refused origin once: a page whose origin is missing in the configuration looks broken,
 * and the shop's developer must find out why.
 */
import type { Log } from '../runtime.js';

/** Anybody can send any origin, and each costs memory and a line. */
const MAX_ORIGINS = 50;
const MAX_CHARACTERS = 200;

export type LogRefusedOrigin = (origin: string) => void;

export function createRefusedOrigins(log: Log): LogRefusedOrigin {
  const known = new Set<string>();
  return (origin) => {
    const named = origin.slice(0, MAX_CHARACTERS);
    if (known.has(named) || known.size >= MAX_ORIGINS) return;
    known.add(named);
    log('warn', 'origin_refused', {
      origin: named,
      message: 'a page of this origin was refused; if it is yours, add the origin to shop.origins',
    });
  };
}

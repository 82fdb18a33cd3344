/** What the fuzz of requests and the fuzz of envelopes share. */
import { failureStatuses } from '../../relay/contract/failure.js';
import type { Random } from './proof.js';

/**
 * The number of cases before a fresh world begins. Whenever the clock moves on, a relay queries
 * each of its open orders, so a world with many orders is slow.
 */
export const CASES_PER_WORLD = 500;

const NASTY: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  '0',
  '-1',
  '1e9',
  'NaN',
  '9'.repeat(400),
  'x'.repeat(9000),
  [],
  [[]],
  {},
  { __proto__: null },
  { constructor: 1 },
  '__proto__',
  'javascript:alert(1)',
  '<img src=x onerror=alert(1)>',
];

/** @returns the body with a random change */
export const mutated = (random: Random, body: object): unknown => {
  const entries: [string, unknown][] = Object.entries(body);
  switch (random.integer(6)) {
    case 0:
      return random.pick(NASTY);
    case 1:
      return Object.fromEntries(entries.filter(() => random.chance(0.7)));
    case 2:
      return Object.fromEntries([...entries, [random.text(4), random.pick(NASTY)]]);
    case 3:
      return [body];
    default:
      return Object.fromEntries(
        entries.map(([key, value]) => [key, random.chance(0.4) ? random.pick(NASTY) : value]),
      );
  }
};

/** True for `internal`, and for a status that is not the documented one of its code. */
export const isCrash = (status: number, body: Record<string, unknown>): boolean => {
  const code = (body.error as { code?: string } | undefined)?.code;
  if (status < 400) return false;
  return (
    code === undefined ||
    code === 'internal' ||
    !Object.hasOwn(failureStatuses, code) ||
    failureStatuses[code as 'internal'] !== status
  );
};

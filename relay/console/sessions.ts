/**
 * Who has signed in to the console. Sessions are in the memory of this relay: they end with it, and
 * no copy of the ledger opens one.
 */
import { createHash, randomBytes } from 'node:crypto';
import { DAY_MS } from '../contract/durations.js';
import type { Operator } from './operator-keys.js';

/** A session ends after this time, however it is used. */
export const SESSION_MS = DAY_MS / 2;
/** A person who signs in with this many open sessions ends the oldest. */
const MAX_PER_OPERATOR = 20;

type Session = { readonly operator: Operator; readonly endsAt: number };

export type Sessions = {
  /** @returns what the browser keeps; this process keeps its digest alone */
  open(operator: Operator): string;
  find(secret: string): { operator: Operator; leftMs: number } | null;
  end(secret: string): void;
};

const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64');

/** @param elapsed milliseconds since an unspecified moment; a wall clock that steps ends nothing */
export function createSessions(elapsed: () => number): Sessions {
  // in the order in which they end
  const sessions = new Map<string, Session>();
  const forgetEnded = (): void => {
    for (const [id, { endsAt }] of sessions) if (endsAt <= elapsed()) sessions.delete(id);
  };
  return {
    open: (operator) => {
      forgetEnded();
      const own = [...sessions].filter(([, session]) => session.operator.name === operator.name);
      const tooMany = own.length - MAX_PER_OPERATOR + 1;
      for (const [id] of own.slice(0, Math.max(0, tooMany))) sessions.delete(id);
      const secret = randomBytes(32).toString('base64url');
      sessions.set(digest(secret), { operator, endsAt: elapsed() + SESSION_MS });
      return secret;
    },
    find: (secret) => {
      const session = sessions.get(digest(secret));
      const leftMs = (session?.endsAt ?? 0) - elapsed();
      return session && leftMs > 0 ? { operator: session.operator, leftMs } : null;
    },
    end: (secret) => void sessions.delete(digest(secret)),
  };
}

/** The challenges that this relay has given to browsers. Each is taken once. */
import { MINUTE_MS } from '../contract/durations.js';

const CHALLENGE_MS = 5 * MINUTE_MS;
/** More of them are a program's; the oldest is then forgotten. */
const MAX_OPEN = 10_000;

export type Challenges = {
  /** @param purpose who may take it, and for what */
  add(purpose: string, challenge: string): void;
  /** @returns whether it was given for this purpose, within five minutes and not taken before */
  take(purpose: string, challenge: string): boolean;
};

export function createChallenges(elapsed: () => number): Challenges {
  // in the order in which they end
  const open = new Map<string, { readonly purpose: string; readonly endsAt: number }>();
  return {
    add: (purpose, challenge) => {
      for (const [id, { endsAt }] of open) {
        if (endsAt > elapsed() && open.size < MAX_OPEN) break;
        open.delete(id);
      }
      open.set(challenge, { purpose, endsAt: elapsed() + CHALLENGE_MS });
    },
    take: (purpose, challenge) => {
      const found = open.get(challenge);
      open.delete(challenge);
      return found?.purpose === purpose && found.endsAt > elapsed();
    },
  };
}

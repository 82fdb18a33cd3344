/** What an invariant is, and what it judges with. */
import type { Fact, Purchase } from './facts.js';
import type { Disturbances } from './disturbances.js';
import type { Known } from './known.js';

export const invariantNames = [
  'pay is sent once',
  'no order is lost',
  'told as asked',
  'success is told',
  'nobody waits',
  'nothing wrong is payable',
  'decision stands',
  'closed stays closed',
  'shop catches up',
] as const;
export type InvariantName = (typeof invariantNames)[number];

/** What the shops' configuration promises. */
export type Promised = {
  /** An order is asked about until it has this age. */
  readonly followMs: number;
};

/** What an invariant is given to judge with. */
export type Judge = {
  readonly known: Known;
  readonly disturbances: Disturbances;
  readonly promised: Promised;
  now(): number;
  /** The invariant is violated. */
  fail(text: string): void;
  /** The invariant was tried on this purchase, with all that has happened to it. */
  tried(purchase: Purchase | undefined): void;
};

export type Invariant = {
  readonly name: InvariantName;
  begin(judge: Judge): {
    on?: (fact: Fact) => void;
    /** Judges what must hold when all is settled. */
    end?: () => void;
  };
};

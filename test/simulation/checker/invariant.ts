/** The type of an invariant, and of what it receives. */
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
  /** A relay queries an order until the order has this age. */
  readonly followMs: number;
};

/** What an invariant receives, and how it reports. */
export type Judge = {
  readonly known: Known;
  readonly disturbances: Disturbances;
  readonly promised: Promised;
  now(): number;
  /** Reports that the invariant is violated. */
  fail(text: string): void;
  /** Counts the invariant as tried under each fault that has touched this purchase. */
  tried(purchase: Purchase | undefined): void;
};

export type Invariant = {
  readonly name: InvariantName;
  begin(judge: Judge): {
    on?: (fact: Fact) => void;
    /** Judges what must hold at the end of the world. */
    end?: () => void;
  };
};

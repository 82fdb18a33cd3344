/** The type of an invariant, and of what it receives. */
import type { Fact, Purchase } from './facts.js';
import type { Disturbances } from './disturbances.js';
import type { Known } from './known.js';

/** The file of each name explains the invariant. */
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
  'unpaid is told once',
  'timeline is true',
] as const;
export type InvariantName = (typeof invariantNames)[number];

/** What the shops' configuration promises. */
export type Promised = {
  /** A relay queries an order until the order has this age. */
  readonly followMs: number;
  /** When a shop is told of an unpaid intent; null: never. */
  readonly unpaidAfterMs: number | null;
};

/** What an invariant receives, and how it reports. */
export type InvariantContext = {
  readonly known: Known;
  readonly disturbances: Disturbances;
  readonly promised: Promised;
  now(): number;
  /** Reports that the invariant is violated. */
  fail(text: string): void;
  /**
   * Records for the table that the invariant was checked for a purchase, once under each fault that
   * affected the purchase. Does nothing for undefined.
   */
  tried(purchase: Purchase | undefined): void;
};

export type Invariant = {
  readonly name: InvariantName;
  begin(context: InvariantContext): {
    on?: (fact: Fact) => void;
    /** Checks what must hold after the simulated world has ended. */
    end?: () => void;
  };
};

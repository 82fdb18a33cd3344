/** What a form of codes needs, so that its honest and its wrong codes can be judged. */
import type { Draw } from './merchant-codes.js';

export type Write = (draw: Draw, amount: string) => string | Promise<string>;
export type Tamper = (draw: Draw, code: string, amount: string) => string;

export type CodeForm = {
  readonly currency: string;
  /** The decimal places of an amount. */
  readonly places: number;
  readonly honest: Write;
  /** The parts of the account in an honest code; null when the form names none. */
  readonly account: RegExp | null;
  /** Added to an honest code, each lets a stranger be paid too. */
  readonly strangers?: readonly string[];
  /** By name; each makes a wrong code of an honest one. */
  readonly tampering: Readonly<Record<string, Tamper>>;
};

export const digits = (draw: Draw, length: number): string =>
  Array.from({ length }, () => draw.integer(10)).join('');

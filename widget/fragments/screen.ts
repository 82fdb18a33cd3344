/** What a phase shows, as parts that the layout puts in their places (views/layout.ts). */
import type { TemplateResult } from 'lit';
import type { Sign } from './sign.js';

/** An action that the state may lack. */
export type MaybeAction = TemplateResult | null;

export type Screen = {
  /** Read out when the screen appears. */
  readonly title: string;
  /** Shown instead of the title, when the title needs markup. */
  readonly heading?: unknown;
  /** Drawn above the title. */
  readonly sign?: Sign;
  /** The way to pay that the order uses. */
  readonly method?: MaybeAction;
  /** One sentence below the title. */
  readonly hint?: unknown;
  /** The warning of the state, in the box below the title (notice.ts). */
  readonly warning?: unknown;
  /** Whether the screen waits for nothing from the relay; it then ignores a lost connection. */
  readonly settled?: boolean;
  readonly content?: unknown;
  /** The one filled button or link. */
  readonly primary?: MaybeAction;
  /** What the customer does after the primary action; both are then numbered steps. */
  readonly next?: string;
  /** What the customer waits for, and how long (order-facts.ts). */
  readonly waiting?: unknown;
  /** The first two are shown; the others move into the folded list. */
  readonly secondary?: readonly MaybeAction[];
  /** Actions after these, which always stay in sight. */
  readonly rest?: readonly MaybeAction[];
  /** The folded list. */
  readonly more?: readonly MaybeAction[];
  /** Small print at the end. */
  readonly footer?: unknown;
  /** Puts the content and the actions into a form. */
  readonly onSubmit?: (event: Event) => void;
  /** The primary action stays in reach while a long list is scrolled. */
  readonly sticky?: boolean;
  readonly look?: 'paid' | 'problem' | 'deposit';
  /** What stands beside all else where there is space: a payment's code, or a deposit's codes. */
  readonly beside?: 'code' | 'codes';
};

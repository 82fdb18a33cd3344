/** The sign of a screen's outcome, drawn once when it appears. */
import { html, type TemplateResult } from 'lit';

/** The lines inside the circle. */
const LINES = {
  good: 'M17 29l8 8 15-17',
  bad: 'M20 20l16 16M36 20l-16 16',
  time: 'M28 15v13l9 6',
  care: 'M28 16v15M28 39v.1',
} as const;

export type Sign = keyof typeof LINES;

export const sign = (kind: Sign): TemplateResult =>
  html`<svg class="sign ${kind}" viewBox="0 0 56 56" aria-hidden="true">
    <circle cx="28" cy="28" r="26" pathLength="100" />
    <path d=${LINES[kind]} pathLength="100" />
  </svg>`;

/** Colours and radii, which the element and the operator's console share. */
import { css } from 'lit';

export const tokenStyles = css`
  :host {
    /* White can be read on both: a browser that darkens pages turns dark text on them white. */
    --_accent: var(--pay-accent, light-dark(#1f5fd0, #2e6de4));
    --_ink: var(--pay-ink, light-dark(#14181f, #eef1f6));
    --_muted: var(--pay-muted, light-dark(#59616e, #a3adbc));
    --_line: var(--pay-line, light-dark(#dde1e7, #333b48));
    --_paper: var(--pay-paper, light-dark(#fff, #151a22));
    --_tint: var(--pay-tint, light-dark(#f5f7fa, #1d2430));
    --_good: var(--pay-good, light-dark(#12703f, #62d297));
    --_note: var(--pay-note, light-dark(#7a4a00, #f2c26b));
    --_danger: var(--pay-danger, light-dark(#b3261e, #ff9a90));
    --_link: var(--pay-link, var(--_ink));
    --_radius: var(--pay-radius, 12px);
    --_inner: calc(var(--_radius) * 0.66);
  }
`;

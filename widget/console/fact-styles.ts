/** Tables, outcomes, the timeline and the pictures of the console. */
import { css } from 'lit';

export const factStyles = css`
  /* A shadow where the table goes on; what comes with the table's end covers it. */
  .scroll {
    --_cover: linear-gradient(to left, var(--_paper) 50%, transparent);
    --_shadow: linear-gradient(to left, var(--_line), transparent);
    background:
      var(--_cover) 100% / 48px 100% no-repeat local,
      var(--_shadow) 100% / 24px 100% no-repeat,
      var(--_paper);
  }
  .scroll,
  pre {
    margin-block: 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_inner);
    overflow-x: auto;
  }
  pre {
    padding: 16px;
    background: var(--_paper);
    max-block-size: 60vh;
    white-space: pre-wrap;
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
  }
  caption {
    padding: 10px 16px;
    font-weight: 600;
    text-align: start;
  }
  th,
  td {
    padding: 8px 16px;
    border-block-start: 1px solid var(--_line);
    text-align: start;
    vertical-align: top;
  }
  th {
    color: var(--_muted);
    font-size: 13px;
    font-weight: 400;
    white-space: nowrap;
  }
  /* Else an amount is broken in the middle of a number. */
  td {
    min-inline-size: 72px;
    overflow-wrap: break-word;
  }
  td:not(:last-child) {
    max-inline-size: 320px;
  }
  /* What a person can press stays in sight while the table scrolls below it. */
  td:last-child:has(button) {
    position: sticky;
    inset-inline-end: 0;
    background: linear-gradient(to right, transparent, var(--_paper) 10px);
  }
  td time,
  td .outcome {
    white-space: nowrap;
  }
  .outcome {
    display: inline-block;
    padding: 0 8px;
    border: 1px solid var(--_line);
    border-radius: 999px;
    font-size: 13px;
    font-weight: 400;
  }
  .succeeded,
  .outcome.ok {
    border-color: var(--_good);
    color: var(--_good);
  }
  .review,
  .unmapped,
  .confirming,
  .undelivered,
  .warn {
    border-color: var(--_note);
    color: var(--_note);
  }
  .failed,
  .outcome.error {
    border-color: var(--_danger);
    color: var(--_danger);
  }
  dl {
    display: grid;
    grid-template-columns: minmax(120px, max-content) 1fr;
    gap: 4px 16px;
    margin: 12px 0;
  }
  dt {
    color: var(--_muted);
  }
  dd {
    margin: 0;
  }
  blockquote {
    margin: 12px 0;
    padding-inline-start: 12px;
    border-inline-start: 3px solid var(--_line);
    color: var(--_muted);
  }
  figure {
    margin-block-end: 12px;
  }
  .timeline {
    margin: 0;
    padding: 0;
    border: 1px solid var(--_line);
    border-radius: var(--_inner);
    background: var(--_paper);
    list-style: none;
  }
  .timeline li {
    display: grid;
    grid-template-columns: 192px 112px 1fr;
    gap: 0 12px;
    padding: 8px 16px;
    border-inline-start: 4px solid var(--_line);
  }
  .timeline li + li {
    border-block-start: 1px solid var(--_line);
  }
  .timeline .gap {
    color: var(--_muted);
  }
  .timeline .service {
    border-inline-start-color: var(--_accent);
  }
  .timeline .shop {
    border-inline-start-color: var(--_good);
  }
  .timeline .missed {
    border-inline-start-color: var(--_danger);
  }
  .timeline .person {
    border-inline-start-color: var(--_note);
  }
  svg {
    display: block;
    inline-size: 100%;
  }
  .strip {
    block-size: 28px;
  }
  .bars {
    block-size: 120px;
    border-block-end: 2px solid var(--_line);
  }
  .hours {
    display: grid;
    grid-template-columns: repeat(6, 1fr);
    direction: ltr;
  }
  .before {
    opacity: 0.3;
  }
  td .id {
    white-space: nowrap;
  }
  .tasks {
    display: grid;
    gap: 12px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .tasks li {
    padding: 12px 16px;
    border: 1px solid var(--_line);
    border-radius: var(--_inner);
    background: var(--_paper);
  }
  .tasks p {
    margin: 0 0 8px;
  }
  svg line {
    stroke: var(--_line);
    stroke-width: 2;
    vector-effect: non-scaling-stroke;
  }
  svg rect {
    fill: var(--_muted);
  }
  svg .service,
  svg .orders {
    fill: var(--_accent);
  }
  svg .shop {
    fill: var(--_good);
  }
  svg .person {
    fill: var(--_note);
  }
  summary {
    padding-block: 8px;
    cursor: pointer;
  }
`;

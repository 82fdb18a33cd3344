/** The style sheet of the console; colours and radii are the element's. */
import { css } from 'lit';

export const consoleStyles = css`
  :host {
    display: block;
    min-block-size: 100vh;
    background: var(--_tint);
    color: var(--_ink);
    font: 400 15px/1.5 var(--pay-font, system-ui, sans-serif);
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
    --_inner: 8px;
  }
  * {
    box-sizing: border-box;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 16px;
    align-items: center;
    padding: 8px 24px;
    border-block-end: 1px solid var(--_line);
    background: var(--_paper);
  }
  /* Seen only while it has the focus, above what is there. */
  .skip {
    position: absolute;
    z-index: 1;
  }
  .skip:not(:focus) {
    inset-inline-start: -9999px;
  }
  header b {
    margin-inline-end: auto;
  }
  nav {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
  }
  nav a {
    padding: 6px 12px;
    border-radius: var(--_inner);
    color: var(--_ink);
    text-decoration: none;
  }
  nav a:hover,
  nav a[aria-current] {
    background: var(--_tint);
  }
  /* Bold letters are wider, and would move the names beside them. */
  nav a[aria-current] {
    box-shadow: inset 0 -2px var(--_accent);
  }
  header search {
    flex: 1 1 120px;
    max-inline-size: 280px;
  }
  header search input {
    inline-size: 100%;
  }
  main {
    max-inline-size: 1200px;
    margin-inline: auto;
    padding: 24px;
  }
  h1 {
    margin: 0 0 16px;
    font-size: 24px;
    line-height: 1.25;
  }
  /* It has the focus after a change of the page, and does nothing. */
  h1:focus {
    outline: none;
  }
  h2 {
    margin: 24px 0 8px;
    font-size: 17px;
  }
  a {
    color: var(--_accent);
  }
  @media (prefers-color-scheme: dark) {
    a {
      color: #8fb4ff;
    }
  }
  .id,
  code,
  pre {
    font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace;
    font-size: 13px;
  }
  .money {
    margin: 0;
    font-size: 28px;
    font-weight: 600;
  }
  .money .outcome {
    vertical-align: middle;
  }
  form {
    margin: 0;
  }
  .filters,
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 12px;
    align-items: end;
    margin-block: 12px;
  }
  label {
    color: var(--_muted);
    font-size: 13px;
  }
  label input:not([type='checkbox']),
  label select {
    display: block;
    inline-size: 100%;
  }
  .row {
    align-items: center;
  }
  .filters label {
    flex: 0 1 auto;
    max-inline-size: 180px;
  }
  .filters input[name='currency'] {
    inline-size: 96px;
  }
  td .filters {
    flex-wrap: nowrap;
    margin: 0;
  }
  td .filters label {
    flex: 1 1 240px;
    max-inline-size: none;
  }
  .check {
    display: flex;
    gap: 8px;
    align-items: center;
    min-block-size: 40px;
  }
  input:not([type='checkbox']),
  select,
  button {
    min-block-size: 40px;
    padding: 6px 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_inner);
    background: var(--_paper);
    color: var(--_ink);
    font: inherit;
    font-size: 15px;
  }
  button {
    cursor: pointer;
  }
  button.primary {
    border-color: var(--_accent);
    background: var(--_accent);
    color: #fff;
  }
  button:disabled,
  main[aria-busy='true'] button {
    opacity: 0.5;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .tiles {
    display: flex;
    flex-wrap: wrap;
    gap: 12px;
  }
  .tile {
    flex: 1 0 180px;
    max-inline-size: 100%;
  }
  .tile,
  section.review,
  figure {
    margin: 0;
    padding: 16px;
    border: 1px solid var(--_line);
    border-radius: var(--_inner);
    background: var(--_paper);
    color: var(--_ink);
  }
  section.review {
    margin-block: 16px;
    border-color: var(--_note);
  }
  section.review h2 {
    margin-block-start: 0;
  }
  .tile b {
    display: block;
    font-size: 24px;
    line-height: 1.25;
    /* A tile is as wide as its amount, which would else break between two digits. */
    overflow-wrap: break-word;
  }
  .tile small,
  small,
  figcaption,
  .hint,
  .loading,
  .empty {
    color: var(--_muted);
    font-size: 13px;
  }
  .empty {
    padding: 16px;
    border: 1px dashed var(--_line);
    border-radius: var(--_inner);
    font-size: 15px;
  }
  /* Above the title, so that nothing moves; not seen when a page comes at once. */
  .loading {
    position: absolute;
    margin-block: -22px 0;
    animation: appear 0s 300ms backwards;
  }
  @keyframes appear {
    from {
      visibility: hidden;
    }
  }
  .warning,
  .refused,
  .done {
    padding: 12px 16px;
    border: 1px solid var(--_note);
    border-radius: var(--_inner);
    background: var(--_paper);
  }
  /* In sight also where what was pressed is far below; a long text leaves room for the page. */
  .messages {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    max-block-size: 30vh;
    overflow: auto;
  }
  @media print {
    .messages {
      position: static;
      max-block-size: none;
    }
  }
  .done {
    border-color: var(--_good);
  }
  .refused {
    border-color: var(--_danger);
    white-space: pre-line;
  }
  .sign-in {
    display: grid;
    gap: 16px;
    max-inline-size: 360px;
    margin: 12vh auto 0;
    padding: 24px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_paper);
  }
  .sign-in h1 {
    margin: 0;
  }
  @media (max-width: 600px) {
    header,
    main {
      padding-inline: 12px;
    }
    .timeline li {
      grid-template-columns: 1fr auto;
    }
    .timeline li > :last-child {
      grid-column: 1 / -1;
    }
    th,
    td {
      padding-inline: 10px;
    }
    dl {
      grid-template-columns: 1fr;
    }
    dd {
      margin-block-end: 8px;
    }
    /* Else names are broken in the middle and rows are tall; the table scrolls. */
    table {
      inline-size: max-content;
      min-inline-size: 100%;
    }
    td {
      max-inline-size: 320px;
    }
    /* The cell that stays in sight leaves room for the facts of its row. */
    table:has(button) td:last-child {
      max-inline-size: 140px;
    }
    td:last-child time {
      white-space: normal;
    }
    td .filters {
      flex-direction: column;
      align-items: stretch;
      inline-size: 120px;
    }
    td .filters label {
      flex: none;
    }
  }
  @media print {
    header nav,
    form,
    button {
      display: none;
    }
    .scroll,
    pre {
      max-block-size: none;
      overflow: visible;
    }
    /* On paper nobody opens what is folded, such as the table of a picture. */
    details::details-content {
      block-size: auto;
      content-visibility: visible;
    }
  }
  @media (forced-colors: active) {
    nav a[aria-current] {
      text-decoration: underline;
    }
    svg rect {
      forced-color-adjust: none;
    }
    .scroll,
    td:last-child:has(button) {
      background: Canvas;
    }
  }
`;

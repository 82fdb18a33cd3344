/** The frame of every sandbox page, in light and dark, labelled as a sandbox. */
import { html, raw } from 'hono/html';

export type Html = ReturnType<typeof html>;

/** The colours are those of the demo shop (demo/style/base.css), beside which the phone lies. */
const css = `
  :root {
    color-scheme: light dark;
    --ink: light-dark(#1a1f1b, #eceee9);
    --muted: light-dark(#5f675f, #a3aba3);
    --paper: light-dark(#fdfdfb, #131614);
    --card: light-dark(#fff, #191d1a);
    --line: light-dark(#e3e6df, #2d332e);
    --accent: light-dark(#1f5640, #8fcfaa);
    --on-accent: light-dark(#fff, #0f2117);
  }
  * {
    box-sizing: border-box;
  }
  body {
    margin: 0;
    font: 1rem/1.5 system-ui, sans-serif;
    color: var(--ink);
    background: var(--paper);
  }
  main {
    max-width: 440px;
    margin: 0 auto;
    padding: 24px 16px 48px;
  }
  header {
    padding: 8px 16px;
    font-size: 0.8125rem;
    text-align: center;
    color: var(--muted);
    border-bottom: 1px solid var(--line);
  }
  h1 {
    font-size: 1.25rem;
    line-height: 1.4;
    margin: 8px 0 16px;
  }
  h2 {
    margin: 0 0 8px;
    font-size: 1rem;
    line-height: 1.5;
  }
  h3 {
    flex: 1 0 100%;
    margin: 8px 0 0;
    padding-top: 12px;
    border-top: 1px solid var(--line);
    font-size: 0.8125rem;
    font-weight: 500;
    line-height: 1.5;
    color: var(--muted);
  }
  .card {
    padding: 20px;
    margin: 0 0 12px;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--card);
  }
  .now {
    margin-bottom: 32px;
    border: 2px solid var(--accent);
  }
  .amount {
    font-size: 1.75rem;
    line-height: 1.3;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
    margin: 0;
  }
  p {
    margin: 4px 0;
    overflow-wrap: anywhere;
  }
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .muted {
    color: var(--muted);
    font-size: 0.875rem;
    line-height: 1.45;
  }
  form {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin-top: 16px;
  }
  button {
    flex: 1 1 40%;
    min-height: 44px;
    padding: 8px 12px;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  button.main {
    flex-basis: 100%;
    min-height: 52px;
    background: var(--accent);
    border-color: transparent;
    color: var(--on-accent);
    font-weight: 600;
  }
  button:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  dl {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 4px 12px;
    margin: 12px 0 0;
    font-size: 0.875rem;
  }
  dt {
    color: var(--muted);
  }
  @media (max-width: 320px) {
    main {
      padding: 16px 12px 32px;
    }
    .card {
      padding: 16px;
    }
    button {
      padding: 8px 4px;
      font-size: 0.9375rem;
    }
  }
  dd {
    margin: 0;
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
  }
`;

/** @param label what stands above the page; beside a checkout, the test ribbon speaks of money */
export const layout = (
  title: string,
  body: Html | Html[] | Promise<Html>,
  label = 'Sandbox: no real money',
): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${raw(css)}
        </style>
      </head>
      <body>
        <header>${label}</header>
        <main>${body}</main>
      </body>
    </html>`;

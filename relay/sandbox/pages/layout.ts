/** The frame of every sandbox page, in light and dark, labelled as a sandbox. */
import { html, raw } from 'hono/html';

type Html = ReturnType<typeof html>;

const css = `
  :root {
    color-scheme: light dark;
    --ink: light-dark(#14181f, #eef1f6);
    --muted: light-dark(#59616e, #a3adbc);
    --line: light-dark(#dde1e7, #333b48);
    --accent: light-dark(#12703f, #62d297);
  }
  * {
    box-sizing: border-box;
  }
  body {
    margin: 0;
    font: 16px/24px system-ui, sans-serif;
    color: var(--ink);
    background: light-dark(#f5f7fa, #10141b);
  }
  main {
    max-width: 440px;
    margin: 0 auto;
    padding: 24px 16px 48px;
  }
  .note {
    margin: 0;
    padding: 8px 16px;
    font-size: 13px;
    text-align: center;
    color: var(--muted);
    border-bottom: 1px solid var(--line);
  }
  h1 {
    font-size: 20px;
    line-height: 28px;
    margin: 8px 0 16px;
  }
  .card {
    padding: 20px;
    margin: 0 0 12px;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: light-dark(#fff, #171c25);
  }
  .amount {
    font-size: 26px;
    line-height: 36px;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
    margin: 0;
  }
  p {
    margin: 4px 0;
    overflow-wrap: anywhere;
  }
  .muted {
    color: var(--muted);
    font-size: 14px;
    line-height: 20px;
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
    background: var(--accent);
    border-color: transparent;
    color: light-dark(#fff, #0b1220);
    font-weight: 600;
  }
  button:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  dl {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 4px 16px;
    margin: 16px 0 0;
    font-size: 15px;
  }
  dt {
    color: var(--muted);
  }
  dd {
    margin: 0;
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
  }
`;

export const layout = (title: string, body: Html | Html[] | Promise<Html>): Html =>
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
        <p class="note">Sandbox: no real money</p>
        <main>${body}</main>
      </body>
    </html>`;

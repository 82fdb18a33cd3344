/** GET /pay-link.css: the look of the relay's own pages. */
import type { Context as HonoContext } from 'hono';

export const payLinkStyle = (c: HonoContext): Response =>
  c.body(STYLE, 200, {
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
  });

const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --paper: #fff; --ink: #14181f; --line: #dde1e7;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #0b0e13; --paper: #151a22; --ink: #eef1f6; --line: #333b48; }
}
body {
  margin: 0; padding: 24px 16px 48px; background: var(--ground);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
}
header { margin-bottom: 16px; font-weight: 600; text-align: center; overflow-wrap: anywhere; }
pay-checkout { display: block; max-width: 520px; margin: 0 auto; }
main {
  min-height: 240px; box-sizing: border-box; padding: 24px; border: 1px solid var(--line);
  border-radius: 12px; background: var(--paper); text-align: center; overflow-wrap: anywhere;
}
h1 { margin: 0 0 8px; font-size: 1.5em; line-height: 1.25; }
p { margin: 0 0 16px; }
.button {
  display: block; padding: 12px 16px; border-radius: 8px; background: #1f5fd0; color: #fff;
  font-weight: 600; text-decoration: none;
}
/* Shown when the element has not replaced it for a while, and at once where no script runs. */
.help { visibility: hidden; animation: help 0s 6s forwards; }
@keyframes help { to { visibility: visible; } }
@media (scripting: none) {
  .help { visibility: visible; animation: none; }
  .help p { display: none; }
}
`;

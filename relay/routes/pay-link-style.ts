/** GET /pay-link.css: the relay's own pages, in the shop's colours. */
import type { Context as HonoContext } from 'hono';
import type { Config } from '../config/schema.js';
import type { RouteDeps } from './mount.js';

/** At this luminance black and white text have the same contrast (WCAG 2). */
const EQUAL_CONTRAST_LUMINANCE = 0.179;
const WEIGHTS = [0.2126, 0.7152, 0.0722];

export const payLinkStyle =
  ({ context: { config } }: RouteDeps) =>
  (c: HonoContext): Response =>
    c.body(styleFor(config.shop), 200, {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    });

const styleFor = ({ colors: { accent, background } }: Config['shop']): string => `
:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --paper: #fff; --ink: #14181f; --line: #dde1e7;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #0b0e13; --paper: #151a22; --ink: #eef1f6; --line: #333b48; }
}
body {
  margin: 0; padding: 24px 16px 48px; background: ${background ?? 'var(--ground)'};
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
}
header { margin-bottom: 16px; font-weight: 600; text-align: center; overflow-wrap: anywhere; }
${background ? `header { color: ${textOn(background)}; }` : ''}
pay-checkout {
  display: block; max-width: 520px; margin: 0 auto;
  ${accent ? `--pay-accent: ${accent}; --pay-on-accent: ${textOn(accent)};` : ''}
}
main {
  min-height: 240px; box-sizing: border-box; padding: 24px; border: 1px solid var(--line);
  border-radius: 12px; background: var(--paper); text-align: center; overflow-wrap: anywhere;
}
h1 { margin: 0 0 8px; font-size: 1.5em; line-height: 1.25; }
p { margin: 0 0 16px; }
.button {
  display: block; padding: 12px 16px; border-radius: 8px;
  background: ${accent ?? '#1f5fd0'}; color: ${accent ? textOn(accent) : '#fff'};
  font-weight: 600; text-decoration: none;
}
/* Shown when the element has not replaced it for a while, and at once where no script runs. */
.help { visibility: hidden; animation: help 0s 6s forwards; }
@keyframes help { to { visibility: visible; } }
@media (scripting: none) { .help { visibility: visible; animation: none; } }
`;

/** Black or white, whichever is easier to read on a colour such as #0b6b78. */
function textOn(color: string): '#000' | '#fff' {
  const luminance = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * (WEIGHTS[index] ?? 0), 0);
  return luminance > EQUAL_CONTRAST_LUMINANCE ? '#000' : '#fff';
}

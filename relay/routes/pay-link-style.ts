/** GET /pay-link.css: the page of a pay link, in the shop's colours. */
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
body { margin: 0; padding: 24px 16px; ${background ? `background: ${background};` : ''} }
pay-checkout {
  display: block; max-width: 480px; margin: 0 auto;
  ${accent ? `--pay-accent: ${accent}; --pay-on-accent: ${textOn(accent)};` : ''}
}
/* only a large screen shows the code, for a phone to scan; a phone has opened the link already */
body > img { display: none; margin: 24px auto 0; }
@media (min-width: 700px) and (pointer: fine) { body > img { display: block; } }
`;

/** Black or white, whichever is easier to read on a colour such as #0b6b78. */
function textOn(color: string): '#000' | '#fff' {
  const luminance = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * (WEIGHTS[index] ?? 0), 0);
  return luminance > EQUAL_CONTRAST_LUMINANCE ? '#000' : '#fff';
}

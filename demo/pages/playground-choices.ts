/** What the playground shows; the address holds it: `?state=all&theme=dark&locale=ar`. */
import { LOCALES } from '../../widget/texts/locales.js';
import { states } from '../element-states.js';

export type Choices = {
  readonly state: string;
  readonly theme: string;
  readonly look: string;
  readonly locale: string;
  readonly width: string;
  /** A colour as `#rrggbb`; empty leaves that of the theme. */
  readonly accent: string;
  /** In CSS pixels; empty leaves that of the theme. */
  readonly radius: string;
};

export const THEMES = ['light', 'dark'];
export const LOOKS = ['none', 'ledger', 'harbour', 'signal'];
export const RADII = ['', '0', '4', '12', '20'];
const WIDTHS = ['320', '390', '768', '1280'];
const COLOUR = /^#[0-9a-f]{6}$/i;

/** Anything that is not one of the choices becomes the default. */
export function readChoices(search: string): Choices {
  const asked = new URLSearchParams(search);
  const oneOf = (name: string, all: readonly string[], other: string): string => {
    const value = asked.get(name) ?? other;
    return all.includes(value) ? value : other;
  };
  const accent = asked.get('accent') ?? '';
  return {
    state: oneOf('state', ['all', ...Object.keys(states)], 'awaiting_payment'),
    theme: oneOf('theme', THEMES, 'light'),
    look: oneOf('look', LOOKS, 'none'),
    locale: oneOf('locale', LOCALES, 'en'),
    width: oneOf('width', WIDTHS, '390'),
    accent: COLOUR.test(accent) ? accent : '',
    radius: oneOf('radius', RADII, ''),
  };
}

export const toSearch = (choices: Choices): string =>
  `?${new URLSearchParams(Object.entries(choices).filter(([, value]) => value !== ''))}`;

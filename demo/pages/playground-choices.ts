/** The visitor's choices in the playground; the address holds them: `?state=all&locale=ar`. */
import { LOCALES } from '../../relay/contract/locales.js';
import { states } from '../element-states.js';

export type Choices = {
  readonly state: string;
  readonly theme: string;
  readonly look: string;
  readonly locale: string;
  readonly width: string;
  /** A colour as `#rrggbb`; empty for the colour of the theme. */
  readonly accent: string;
  /** Whether the phone's frame has a touch screen, which cannot scan its own code. */
  readonly touch: string;
  /** In CSS pixels; empty for the radius of the theme. */
  readonly radius: string;
};

export const THEMES = ['light', 'dark'];
export const LOOKS = ['none', 'ledger', 'harbour', 'signal'];
export const POINTERS = ['mouse', 'finger'];
export const RADII = ['', '0', '4', '12', '20'];
const WIDTHS = ['320', '390', '768', '1280'];
const COLOUR = /^#[0-9a-f]{6}$/i;

/** @returns the choices in the address; the default for a value that is missing or unknown */
export function readChoices(search: string): Choices {
  const parameters = new URLSearchParams(search);
  const oneOf = (name: string, all: readonly string[], other: string): string => {
    const value = parameters.get(name) ?? other;
    return all.includes(value) ? value : other;
  };
  const accent = parameters.get('accent') ?? '';
  return {
    state: oneOf('state', ['all', ...Object.keys(states)], 'awaiting_payment'),
    theme: oneOf('theme', THEMES, 'light'),
    look: oneOf('look', LOOKS, 'none'),
    touch: oneOf('touch', POINTERS, 'mouse'),
    locale: oneOf('locale', LOCALES, 'en'),
    width: oneOf('width', WIDTHS, '390'),
    accent: COLOUR.test(accent) ? accent : '',
    radius: oneOf('radius', RADII, ''),
  };
}

export const toSearch = (choices: Choices): string =>
  `?${new URLSearchParams(Object.entries(choices).filter(([, value]) => value !== ''))}`;

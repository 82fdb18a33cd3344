/** The colours of the card for browsers without `light-dark()`: those before May 2024. */
import { unsafeCSS } from 'lit';
import { tokenStyles } from './tokens.js';

const COLOUR = /(--_\w+:\s*var\(--pay-\w+,\s*)light-dark\(([^,]*),\s*([^)]*)\)\)/g;

const ofScheme = (scheme: '$2' | '$3'): string =>
  (tokenStyles.cssText.match(COLOUR) ?? [])
    .map((token) => token.replace(COLOUR, `$1${scheme});`))
    .join('');

/** A page that is dark without the attribute `theme` gets a light card. */
export const olderColours = unsafeCSS(
  '@supports not (color:light-dark(#000,#fff)){' +
    `:host{${ofScheme('$2')}}:host([theme=dark]){${ofScheme('$3')}}}`,
);

/**
 * Writes the phase and the outcome as attributes. A page that morphs its markup removes or changes
 * attributes that it does not know, so the values are kept elsewhere, and are written again.
 */
import type { Phase } from '../checkout/flow.js';

const NAMES = ['phase', 'outcome'] as const;

export const isPhaseAttribute = (name: string): boolean => name === 'phase' || name === 'outcome';

export function writePhase(
  host: Element,
  shown: { readonly phase: Phase; readonly outcome: string | null },
): void {
  for (const name of NAMES) {
    const value = shown[name];
    const written = host.getAttribute(name);
    // Until the first answer the element has only the attributes that the page wrote.
    if (written === value || (written === null && value === 'loading')) continue;
    if (value === null) host.removeAttribute(name);
    else host.setAttribute(name, value);
  }
}

/**
 * Lets lit be imported where there is no DOM: on a server its browser build would stop at
 * `extends HTMLElement`. `placeholder-dom-end.ts` removes the placeholders again, because other
 * code tests for these names to find out whether there is a DOM.
 */
const placeholders = {
  HTMLElement: class {},
  document: { createTreeWalker: () => ({}) },
};

export const added = Object.entries(placeholders).flatMap(([name, value]) => {
  if (name in globalThis) return [];
  Object.defineProperty(globalThis, name, { value, configurable: true });
  return [name];
});

/** Module hooks that let a flow test, which imports the library of the browser tests, run in Node. */
const CHAI = new URL('../../../node_modules/@esm-bundle/chai/esm/chai.js', import.meta.url).href;

export const resolve = (specifier, context, next) =>
  specifier === '@open-wc/testing' ? { url: CHAI, shortCircuit: true } : next(specifier, context);

/** Module hooks of the mutation run: the tests get the functions of `node-test.mjs`. */
const OTHERS = {
  'node:test': new URL('./node-test.mjs', import.meta.url).href,
  '@open-wc/testing': new URL('../../../node_modules/@esm-bundle/chai/esm/chai.js', import.meta.url)
    .href,
};

export const resolve = (specifier, context, next) =>
  Object.hasOwn(OTHERS, specifier)
    ? { url: OTHERS[specifier], shortCircuit: true }
    : next(specifier, context);

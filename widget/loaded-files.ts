/** The JSON of the relay's files, which the script that a page begins with shares (begin.ts). */
const LOADED = Symbol.for('pay-checkout-loaded');
const before: unknown = Reflect.get(globalThis, LOADED);

/** By URL. */
export const loaded: Map<string, Promise<unknown>> = before instanceof Map ? before : new Map();
Reflect.set(globalThis, LOADED, loaded);

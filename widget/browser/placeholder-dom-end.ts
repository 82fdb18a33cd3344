/** Removes the placeholders after lit was loaded. */
import { added } from './placeholder-dom.js';

for (const name of added) Reflect.deleteProperty(globalThis, name);

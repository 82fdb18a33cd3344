/**
 * Removes the placeholders after lit was loaded. It is a file of its own, because imports run in
 * their order, and lit must run between the two files.
 */
import { added } from './placeholder-dom.js';

for (const name of added) Reflect.deleteProperty(globalThis, name);

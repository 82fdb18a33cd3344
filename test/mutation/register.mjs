/** Loaded by Node.js before the runner: TypeScript, and the stand-in for `node:test`. */
import { register } from 'node:module';

register('./resolve-tests.mjs', import.meta.url);

/** Node.js loads this module before the runner, so that tests get the stand-in for `node:test`. */
import { register } from 'node:module';

register('./resolve-tests.mjs', import.meta.url);

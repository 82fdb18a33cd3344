/** The tests for the browser use mocha's globals; in the mutation run they run in Node.js. */
import * as globals from './node-test.mjs';

Object.assign(globalThis, globals);

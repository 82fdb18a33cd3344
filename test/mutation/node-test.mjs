/** Stands in for `node:test` in the mutation run, where vitest runs the tests. */
import { afterAll, afterEach, beforeAll, beforeEach, describe as suite, it as test } from 'vitest';
import { SLOW_TESTS } from './slow-tests.mjs';

/** PostgreSQL would start again for each mutant; SQLite runs the same statements. */
const isLeftOut = (title) =>
  /\bpostgres/i.test(title) || SLOW_TESTS.some((slow) => title.startsWith(slow));

/** Mocha sets the limit of a test after its definition; here one limit holds for all tests. */
const limited = { timeout: () => limited };

const define =
  (run) =>
  (title, ...rest) => {
    const skip = isLeftOut(title) || rest[0]?.skip === true;
    (skip ? run.skip : run)(title, rest.at(-1));
    return limited;
  };

export const describe = define(suite);
export const it = define(test);
export { it as test, afterAll as after, afterEach, beforeAll as before, beforeEach };

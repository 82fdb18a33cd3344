/**
 * Stands in for `node:test` and for mocha in the mutation run: it collects the tests of each file,
 * so that the runner can run each of them many times.
 */
import { readFileSync } from 'node:fs';

/**
 * Parts of the titles of tests that wait for about a second, by file. Each mutant that survives
 * runs all of its tests, so with these a run would take a day; a rule that only they test has
 * survivors.
 */
const SLOW_TESTS = JSON.parse(readFileSync(new URL('slow-tests.json', import.meta.url), 'utf8'));

/** Tests on PostgreSQL are left out, because it would have to start; SQLite runs its statements. */
const isLeftOut = (title) =>
  /\bpostgres|\bpgbouncer/i.test(title) ||
  (SLOW_TESTS[file] ?? []).some((slow) => title.includes(slow));

const createSuite = (title, parent) => ({
  title,
  parent,
  before: [],
  beforeEach: [],
  afterEach: [],
  ready: null,
});

/** The collected tests by id, which consists of the file and the titles. */
export const tests = new Map();
let file = '';
let suite = createSuite('', null);

/** Imports a file of tests, and collects them. */
export async function collect(name, load) {
  file = name;
  suite = createSuite('', null);
  await load();
}

const titles = ({ parent, title }) => (parent ? `${titles(parent)} ${title}` : title);

function uniqueId(title) {
  const id = `${file}:${titles(suite)} ${title}`;
  for (let count = 1; ; count++) if (!tests.has(`${id}#${count}`)) return `${id}#${count}`;
}

/** Mocha sets the limit of a test after its definition; the runner has one limit for all. */
const limited = { timeout: () => limited };

export function it(title, ...rest) {
  const id = uniqueId(title);
  if (rest[0]?.skip || isLeftOut(id.slice(file.length))) return limited;
  tests.set(id, { id, title, file, suite, run: rest.at(-1) });
  return limited;
}

export function describe(title, ...rest) {
  const outer = suite;
  suite = createSuite(title, outer);
  rest.at(-1)();
  suite = outer;
  return limited;
}

export const before = (hook) => void suite.before.push(hook);
export const beforeEach = (hook) => void suite.beforeEach.push(hook);
export const afterEach = (hook) => void suite.afterEach.push(hook);
/** Ignored: these hooks close a file's ledgers and folders, which the next mutant still needs. */
export const after = () => {};
export { it as test };

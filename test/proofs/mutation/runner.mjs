/**
 * Runs the tests for Stryker, all in one process that loads them once. A mutant then costs only the
 * time of its tests, and no start of a process.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  DryRunStatus,
  TestStatus,
  determineHitLimitReached,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { PluginKind, declareClassPlugin } from '@stryker-mutator/api/plugin';
import * as nodeTest from './node-test.mjs';

const FOLDER = 'test/suite/relay/';
/** A test may take this long, and some times as long as in the first run. */
const MIN_LIMIT_MS = 2000;
const LIMIT_FACTOR = 5;
/** The limit in the first run. */
const FIRST_LIMIT_MS = 10_000;
/** Tests that take longer run at the same time, and only when the quick tests have passed. */
const QUICK_MS = 40;
/** Written by the first run, and read by every process; beside the copy of the sources. */
const timesFile = () => resolve('../times.json');

const stryker = (globalThis.__stryker__ ??= {});
const { setTimeout: realTimeout } = globalThis;

/** Matches the names of `MUTATION_TESTS`, where `*` stands for a part of a name. */
function testFiles() {
  const names = (process.env.MUTATION_TESTS ?? '*').split(',');
  const patterns = names.map((name) => name.replaceAll('.', '\\.').replaceAll('*', '[^/.]*'));
  const wanted = new RegExp(`^(${patterns.join('|')})(\\.process)?\\.test\\.ts$`);
  return readdirSync(FOLDER, { recursive: true })
    .filter((name) => wanted.test(name))
    .sort();
}

async function prepare(suite) {
  if (suite.parent) await prepare(suite.parent);
  suite.ready ??= (async () => {
    for (const hook of suite.before) await hook();
  })();
  await suite.ready;
}

/** The suites of a test, the outermost first. */
const suitesOf = (suite) => (suite ? [...suitesOf(suite.parent), suite] : []);

async function attempt({ run, suite }) {
  const suites = suitesOf(suite);
  await prepare(suite);
  for (const { beforeEach } of suites) for (const hook of beforeEach) await hook();
  try {
    await run();
  } finally {
    for (const { afterEach } of suites) for (const hook of afterEach) await hook();
  }
}

/** @returns why the test failed; null when it passed */
async function failureOf(test, limitMs) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = realTimeout(() => reject(new Error(`not in ${limitMs} ms`)), limitMs);
  });
  try {
    await Promise.race([attempt(test), limit]);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}

const result = ({ file, id }, failure, timeSpentMs) => ({
  id,
  name: id,
  fileName: resolve(FOLDER, file),
  timeSpentMs,
  ...(failure === null
    ? { status: TestStatus.Success }
    : { status: TestStatus.Failed, failureMessage: failure }),
});

class Runner {
  static inject = [];
  /** Milliseconds of each test, by id. */
  times = null;
  /** How many mutants each test has found, by id. */
  found = new Map();

  /** Nothing needs to be loaded again: with `ignoreStatic` no mutant is active while it loads. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    // an error of work that a mutant left in the background must not end the process
    for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, () => {});
    const { after, afterEach, before, beforeEach, describe, it } = nodeTest;
    // mocha's functions are global
    Object.assign(globalThis, { after, afterEach, before, beforeEach, describe, it });
    for (const name of testFiles())
      await nodeTest.collect(name, () => import(pathToFileURL(resolve(FOLDER, name)).href));
  }

  /** Each test must pass twice, since it runs again for each mutant. */
  async dryRun() {
    const done = [];
    this.times = {};
    for (const test of nodeTest.tests.values()) {
      stryker.currentTestId = test.id;
      const started = performance.now();
      const failure = await failureOf(test, FIRST_LIMIT_MS);
      const ms = performance.now() - started;
      const again = failure === null ? await failureOf(test, FIRST_LIMIT_MS) : null;
      // Stryker takes time that no test has spent for work that each mutant repeats
      const bothMs = performance.now() - started;
      if (again === null) done.push(result(test, failure, bothMs));
      else console.error(`left out, since it fails when it is repeated: ${test.id}: ${again}`);
      this.times[test.id] = ms;
    }
    writeFileSync(timesFile(), JSON.stringify(this.times));
    return {
      status: DryRunStatus.Complete,
      tests: done,
      mutantCoverage: stryker.mutantCoverage,
    };
  }

  async mutantRun({ activeMutant, hitLimit, testFilter }) {
    this.times ??= JSON.parse(readFileSync(timesFile(), 'utf8'));
    const chosen = (testFilter ?? [...nodeTest.tests.keys()])
      .map((id) => nodeTest.tests.get(id))
      .filter((test) => test !== undefined)
      .sort((a, b) => this.foundBy(b) - this.foundBy(a) || this.times[a.id] - this.times[b.id]);
    Object.assign(stryker, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    const done = await this.runUntilFailure(chosen);
    const { hitCount } = stryker;
    const [last] = done.slice(-1);
    if (last?.status === TestStatus.Failed) this.found.set(last.id, this.foundBy(last) + 1);
    Object.assign(stryker, { activeMutant: undefined, hitLimit: undefined });
    const ended = determineHitLimitReached(hitCount, hitLimit);
    return toMutantRunResult(ended ?? { status: DryRunStatus.Complete, tests: done });
  }

  /** A test that has found mutants runs first, because mutants of one file have the same finder. */
  foundBy({ id }) {
    return this.found.get(id) ?? 0;
  }

  limited(test) {
    return failureOf(test, MIN_LIMIT_MS + LIMIT_FACTOR * this.times[test.id]);
  }

  async runUntilFailure(chosen) {
    const isQuick = ({ id }) => this.times[id] < QUICK_MS;
    const done = [];
    for (const test of chosen.filter(isQuick)) {
      done.push(result(test, await this.limited(test), 0));
      if (done.at(-1).status === TestStatus.Failed) return done;
    }
    const slow = chosen.filter((test) => !isQuick(test));
    const failures = await Promise.all(slow.map((test) => this.limited(test)));
    for (const [index, test] of slow.entries()) {
      // a test may be too slow beside many others, so only a second failure counts
      const failure = failures[index] && (await this.limited(test));
      done.push(result(test, failure, 0));
      if (failure !== null) return done;
    }
    return done;
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'node-test', Runner)];

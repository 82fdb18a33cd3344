/**
 * The stages of `npm test` and `npm run test:all`: which files each runs, and with what. Together
 * the stages run every test file, and every flow test twice: in Node and in a browser.
 */
import { isFlow, runnerOf, testFiles, type Runner } from './test-files.js';

export type Stage = {
  readonly name: string;
  readonly runner: Runner;
  readonly files: readonly string[];
  /** Whether `npm test` runs it; `npm run test:all` runs all stages. */
  readonly inGate: boolean;
  /** One line for the table in test/README.md. */
  readonly what: string;
  /** A failure counts although a second attempt may pass: the stage looks for rare faults. */
  readonly looksForRareFaults: boolean;
};

/** The journeys run in every engine, as the browser tests do (proofs/engines/). */
const JOURNEYS = 'test/suite/demo/main/journeys.e2e.test.ts';
/** Takes minutes with `SIMULATE_MINUTES`, so it is a stage of its own. */
const WORLDS = 'test/proofs/simulation/worlds.process.test.ts';
const LEDGER = 'test/suite/relay/ledger/ledger.process.test.ts';
/** Budgets that a change may break without another failure. */
const COUNTS = [
  'test/suite/relay/ledger/round-trips.process.test.ts',
  'test/suite/relay/app/allocations.process.test.ts',
];
/** They compile with TypeScript, which blocks a process for seconds. */
const TYPES = [
  'test/tools/packages/types.process.test.ts',
  'test/tools/contract/public-contract.process.test.ts',
  'test/tools/contract/reference.process.test.ts',
];
const PACKAGES = 'test/tools/packages/packages.process.test.ts';
const OWN_STAGE = new Set([JOURNEYS, WORLDS, LEDGER, ...COUNTS, ...TYPES, PACKAGES]);

/** The stages in the order in which they start: the longest first, so that none runs alone last. */
export function allStages(): Stage[] {
  const files = testFiles();
  const of = (runner: Runner): string[] =>
    files.filter((file) => runnerOf(file) === runner && !OWN_STAGE.has(file));
  const isProof = (file: string): boolean => file.startsWith('test/proofs/');
  const stage = (
    name: string,
    runner: Runner,
    chosen: readonly string[],
    what: string,
    flags: Partial<Pick<Stage, 'inGate' | 'looksForRareFaults'>> = {},
  ): Stage => ({
    name,
    runner,
    files: chosen,
    what,
    inGate: false,
    looksForRareFaults: false,
    ...flags,
  });
  const processes = of('process');
  return [
    stage('together', 'together', of('together'), 'unit and flow tests, in one Node process', {
      inGate: true,
    }),
    stage('browser', 'browser', of('browser'), 'the element in a page, with relay and sandbox', {
      inGate: true,
    }),
    stage('worlds', 'process', [WORLDS], 'two seeds of the simulated world', {
      inGate: true,
      looksForRareFaults: true,
    }),
    stage('journeys', 'e2e', [JOURNEYS], 'the demo, from the basket to the payment, on each road', {
      inGate: true,
    }),
    stage(
      'ledger',
      'process',
      [LEDGER, ...COUNTS],
      'the ledger on each database, its requests and what a call allocates',
      { inGate: true },
    ),
    stage('types', 'process', TYPES, 'the types of both packages, the contract, the reference', {
      inGate: true,
    }),
    stage(
      'processes',
      'process',
      processes.filter((file) => !isProof(file)),
      'commands, sockets, databases, programs of the guides',
    ),
    stage('e2e', 'e2e', of('e2e'), 'the other tests in a real Chromium'),
    stage(
      'proofs',
      'process',
      processes.filter(isProof),
      'the proofs at a small size, and the machinery of the simulation',
      { looksForRareFaults: true },
    ),
    stage('flows', 'browser', files.filter(isFlow), 'the flow tests again, in a browser'),
    stage('packages', 'process', [PACKAGES], 'the packages, packed and installed'),
  ];
}

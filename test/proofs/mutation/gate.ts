/**
 * `npm run mutation:gate -- [--mutants 120] [--seed 1] [--minutes N]` shows what the gate finds of
 * what all tests find. Each change of the source runs against the stage `together`; then the
 * survivors run against the other stages of the gate, and the survivors of these against all other
 * stages. The results are kept in `coverage/mutation-gate/`, so that a run which was stopped goes
 * on. `--stop-after gate` leaves out the last step.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { allStages, type Stage } from '../../tools/run/stages.js';
import { root } from '../../tools/run/test-files.js';
import { installStryker } from './install.js';
import { createCopy, type Copy } from './mutated-copy.js';
import { sample, type SampledMutant } from './sampled-mutants.js';

const STEPS = ['together', 'gate', 'all'] as const;
type Step = (typeof STEPS)[number];
/** `by`: the file or the stage that failed; null when the mutant survived the step. */
type Result = { mutant: string; step: Step; by: string | null };

/** Two mutants at a time, as the gate runs two stages at a time. */
const WORKERS = 2;

const { values } = parseArgs({
  options: {
    mutants: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: 'Infinity' },
    'stop-after': { type: 'string', default: 'all' },
  },
});
const end = performance.now() + Number(values.minutes) * 60_000;
const file = `${root}coverage/mutation-gate/seed-${values.seed}.jsonl`;
const nameOf = ({ at, change, file: path }: SampledMutant): string => `${path}:${at} ${change}`;

const stepOf = ({ inGate, name }: Stage): Step => {
  if (name === 'together') return 'together';
  return inGate ? 'gate' : 'all';
};

function readResults(): Result[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Result);
}

installStryker();
mkdirSync(dirname(file), { recursive: true });
const results = readResults();
const mutants = await sample(Number(values.seed), Number(values.mutants));
const has = (mutant: SampledMutant, step: Step): Result | undefined =>
  results.find((result) => result.mutant === nameOf(mutant) && result.step === step);
/** A flow test found nothing in Node, so it is not run again in a browser. */
const stages = allStages().filter(({ name }) => name !== 'flows');

async function decide(copy: Copy, mutant: SampledMutant, step: Step): Promise<void> {
  const started = performance.now();
  const by = await copy.failureOf(
    mutant,
    stages.filter((stage) => stepOf(stage) === step),
  );
  const result = { mutant: nameOf(mutant), step, by };
  results.push(result);
  appendFileSync(file, `${JSON.stringify(result)}\n`);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${step}: ${by ?? 'nothing'} in ${seconds} s: ${result.mutant}`);
}

/** The mutants that survived all steps before this one, and have no result in it. */
const open = (step: Step): SampledMutant[] =>
  mutants.filter((mutant) => {
    const before = STEPS.slice(0, STEPS.indexOf(step));
    return before.every((each) => has(mutant, each)?.by === null) && !has(mutant, step);
  });

console.log(`seed ${values.seed}: ${mutants.length} mutants, ${results.length} results before`);
const copies = await Promise.all(Array.from({ length: WORKERS }, createCopy));
for (const step of STEPS.slice(0, STEPS.findIndex((each) => each === values['stop-after']) + 1)) {
  const waiting = open(step);
  await Promise.all(
    copies.map(async (copy) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (performance.now() > end) return;
        await decide(copy, next, step);
      }
    }),
  );
}
for (const copy of copies) copy.remove();

const found = (step: Step): number => mutants.filter((mutant) => has(mutant, step)?.by).length;
const gate = found('together') + found('gate');
const all = gate + found('all');
const missing = STEPS.reduce((sum, step) => sum + open(step).length, 0);
console.log(
  `${mutants.length} mutants: together ${found('together')}, gate ${gate}, all ${all}; ` +
    `gate ÷ all ${((100 * gate) / all).toFixed(1)} %` +
    (missing > 0 ? `; ${missing} not decided yet` : ''),
);

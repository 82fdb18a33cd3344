/** The table in test/README.md: what each stage runs, and what it cost in the recorded run. */
import { recordTable } from '../recorded-table.js';
import type { Stage } from './stages.js';

export type Cost = { stage: Stage; seconds: number; cpuSeconds: number; tests: number };

const PAGE = new URL('../../README.md', import.meta.url);
const NAME = { true: '`npm test`', false: '`npm run test:all`' };

/**
 * Replaces the table.
 *
 * @param costs of all stages of a run of `npm run test:all -- --record`
 */
export function writeStageTable(costs: readonly Cost[]): void {
  const row = ({ cpuSeconds, seconds, stage, tests }: Cost): string =>
    `| \`${stage.name}\` | ${stage.what} | ${NAME[`${stage.inGate}`]} | ${stage.files.length} | ` +
    `${tests} | ${seconds.toFixed(0)} | ${cpuSeconds.toFixed(0)} |`;
  // two stages run at a time, so they end in another order in each run
  const gateFirst = [...costs].sort(
    (a, b) => Number(b.stage.inGate) - Number(a.stage.inGate) || b.seconds - a.seconds,
  );
  recordTable(PAGE, [
    '<!-- prettier-ignore -->',
    '| stage | what it runs | run by | files | tests | seconds | CPU seconds |',
    '| --- | --- | --- | --: | --: | --: | --: |',
    ...gateFirst.map(row),
  ]);
}

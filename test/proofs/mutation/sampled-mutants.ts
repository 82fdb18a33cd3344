/** Small changes of the source, made by Stryker, of which a seed draws some. */
import { readdirSync, readFileSync } from 'node:fs';
import { root } from '../../tools/run/test-files.js';
import { randomFrom } from '../../suite/support/random.js';
import { survivorOf, type Survivor } from './report.js';
import { isKnown, readKnown } from './survivors.js';

const FOLDERS = ['relay/orders', 'relay/intent', 'relay/ledger', 'widget/checkout'];

/** A change of one file; `change` shows the old and the new text. */
export type SampledMutant = Survivor & { mutated: string };

type Position = { line: number; column: number };
/** What Stryker's instrumenter returns; its lines count from 0. */
type Found = {
  mutatorName: string;
  replacement: string;
  location: { start: Position; end: Position };
  statusReason?: string;
};

/** Stryker has a package.json of its own, so its types are not installed here. */
async function mutantsOf(file: string, content: string): Promise<Found[]> {
  const stryker = new URL('node_modules/@stryker-mutator/instrumenter/', import.meta.url);
  const { Instrumenter } = await import(new URL('dist/src/index.js', stryker).href);
  const { strykerPlugins } = await import(new URL('ignore-messages.mjs', import.meta.url).href);
  const quiet = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false };
  const ignorers = strykerPlugins.map(({ value }: { value: unknown }) => value);
  const options = { plugins: null, excludedMutations: [], ignorers };
  const files = [{ name: file, mutate: true, content }];
  return (await new Instrumenter(quiet).instrument(files, options)).mutants;
}

function apply(content: string, { location: { end, start }, replacement }: Found): string {
  const lines = content.split('\n');
  const offset = ({ column, line }: Position): number =>
    lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0) + column;
  return content.slice(0, offset(start)) + replacement + content.slice(offset(end));
}

const oneBased = ({ end, start }: Found['location']): Found['location'] => ({
  start: { line: start.line + 1, column: start.column + 1 },
  end: { line: end.line + 1, column: end.column + 1 },
});

/** Draws from all changes of the folders that are neither wording nor known to change nothing. */
export async function sample(seed: number, count: number): Promise<SampledMutant[]> {
  const known = readKnown();
  const all: SampledMutant[] = [];
  for (const folder of FOLDERS)
    for (const name of (readdirSync(root + folder, { recursive: true }) as string[]).sort()) {
      const file = `${folder}/${name}`;
      if (!file.endsWith('.ts')) continue;
      const content = readFileSync(root + file, 'utf8');
      for (const found of await mutantsOf(file, content)) {
        if (found.statusReason !== undefined) continue;
        const { location, ...mutant } = found;
        const survivor = survivorOf(file, content, {
          ...mutant,
          status: 'Survived',
          location: oneBased(location),
        });
        if (!isKnown(known, survivor)) all.push({ ...survivor, mutated: apply(content, found) });
      }
    }
  const random = randomFrom(seed);
  return all
    .map((mutant) => ({ mutant, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

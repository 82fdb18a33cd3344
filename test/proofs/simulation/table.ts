/** The table of invariants and faults: how often each invariant was tried under each fault. */
import { recordTable } from '../../tools/recorded-table.js';
import type { Table } from './checker/checker.js';
import { invariantNames } from './checker/invariant.js';
import { faultNames } from './faults/names.js';

type Rows = readonly (readonly [string, readonly (readonly [string, number])[]])[];

export const emptyTable = (): Table => new Map(invariantNames.map((name) => [name, new Map()]));

/** Adds the counts of one world to the sum. */
export function addTable(sum: Table, added: Table): void {
  for (const [name, row] of added)
    for (const [fault, count] of row) {
      const into = sum.get(name);
      into?.set(fault, (into.get(fault) ?? 0) + count);
    }
}

/** A table from its rows, as a message between processes carries them. */
export const tableOf = (rows: Rows): Table =>
  new Map(
    invariantNames.map((name) => {
      const [, cells = []] = rows.find(([of]) => of === name) ?? [];
      const counts = new Map(cells);
      return [name, new Map(faultNames.map((fault) => [fault, counts.get(fault) ?? 0]))];
    }),
  );

/** The cells that were never tried, as "invariant × fault". */
export const untried = (table: Table): string[] =>
  invariantNames.flatMap((name) =>
    faultNames.flatMap((fault) =>
      (table.get(name)?.get(fault) ?? 0) === 0 ? [`${name} × ${fault}`] : [],
    ),
  );

/** One line per fault, one column per invariant. */
export function tableLines(table: Table): string[] {
  const width = Math.max(...faultNames.map((name) => name.length));
  const head = invariantNames.map((name, index) => `${index + 1} ${name}`);
  const columns = invariantNames.map((_, index) => String(index + 1).padStart(9)).join('');
  return [
    ...head,
    `${' '.repeat(width)}${columns}`,
    ...faultNames.map((fault) => {
      const cells = invariantNames.map((name) => table.get(name)?.get(fault) ?? 0);
      return fault.padEnd(width) + cells.map((count) => String(count).padStart(9)).join('');
    }),
  ];
}

const README = new URL('README.md', import.meta.url);

/** Writes the table into README.md. */
export const writeTable = (table: Table, ran: string): void =>
  recordTable(README, [`In ${ran}:`, '', '```', ...tableLines(table), '```']);

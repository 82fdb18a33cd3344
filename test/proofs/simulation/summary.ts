/** Sums up many worlds: how fast they ran, which failed, and what was tried. */
import type { Table } from './checker/checker.js';
import type { Options } from './options.js';
import { addTable, emptyTable, tableLines, untried, writeTable } from './table.js';

export type Summary = {
  minutes(): number;
  add(seed: number, world: { orders: number; table: Table; held: boolean }): void;
  /**
   * Prints the last lines, and writes the table when an option asks for it.
   *
   * @returns whether orders were placed and every invariant held, and with `--record` also whether
   *   the table is complete
   */
  end(cpuMinutes: number): boolean;
};

export const say = (lines: readonly string[]): void => console.log(lines.join('\n'));

export function createSummary({ record, seed: from, table: isShown }: Options): Summary {
  const table = emptyTable();
  const began = performance.now();
  const failed: number[] = [];
  let worlds = 0;
  let orders = 0;
  let last = from - 1;
  const minutes = (): number => (performance.now() - began) / 60_000;
  const rate = (spent: number): number => Math.round(orders / Math.max(spent, 1e-6));
  return {
    minutes,
    add: (seed, world) => {
      worlds++;
      orders += world.orders;
      last = Math.max(last, seed);
      addTable(table, world.table);
      if (!world.held) failed.push(seed);
    },
    end: (cpuMinutes) => {
      const zeros = untried(table);
      if (isShown || record) say([...tableLines(table), ...zeros.map((cell) => `0: ${cell}`)]);
      if (record)
        writeTable(table, `${worlds} worlds with ${orders} orders (seeds ${from} to ${last})`);
      const ran =
        `seeds ${from} to ${last}: ${orders} orders, ${rate(minutes())} a minute, ` +
        `${rate(cpuMinutes)} a minute of processor time`;
      const failing = failed.sort((a, b) => a - b).join(', ');
      say([failed.length === 0 ? `${ran}; all hold` : `${ran}; not held: ${failing}`]);
      if (record && zeros.length > 0) say([`${zeros.length} cells of the table were never tried`]);
      // worlds whose relays answer nothing hold every invariant
      if (orders === 0) say(['no order was placed, so nothing was tried']);
      return failed.length === 0 && orders > 0 && !(record && zeros.length > 0);
    },
  };
}

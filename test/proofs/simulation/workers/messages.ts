/** What the processes of `--workers` tell each other. */
import type { Table } from '../checker/checker.js';
import type { Size } from '../plan.js';

export type Task = Size;

export type Result = {
  seed: number;
  orders: number;
  digest: string;
  /** The lines to print about a failure; empty when all invariants held. */
  failure: readonly string[];
  /** The table in a form that a message can carry. */
  rows: readonly (readonly [name: string, cells: readonly (readonly [string, number])[]])[];
  cpuMs: number;
};

export const rowsOf = (table: Table): Result['rows'] =>
  [...table].map(([name, row]) => [name, [...row]]);

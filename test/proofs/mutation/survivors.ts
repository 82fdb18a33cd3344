/** Compares the survivors of a run with the list of known survivors and their reasons. */
import { readFileSync } from 'node:fs';
import type { Survivor } from './report.js';

/** The known survivors by file, with `line` and `change` as the command prints them. */
export type KnownSurvivors = Record<string, { line: string; change: string; reason: string }[]>;

export const readKnown = (): KnownSurvivors =>
  JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8')) as KnownSurvivors;

export const isKnown = (known: KnownSurvivors, { change, file, line }: Survivor): boolean =>
  (known[file] ?? []).some((entry) => entry.line === line && entry.change === change);

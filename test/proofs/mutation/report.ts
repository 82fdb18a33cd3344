/** Reads Stryker's report: the score, the survivors, and the mutants that were left out. */

/** The part of the mutation-testing report that is read here; lines and columns count from 1. */
export type Report = {
  files: Record<string, { source: string; mutants: ReportedMutant[] }>;
};
type Position = { line: number; column: number };
type ReportedMutant = {
  mutatorName: string;
  replacement?: string;
  status: string;
  statusReason?: string;
  location: { start: Position; end: Position };
};

/** `line`: the first changed line, without indent. `change`: the old text and the new text. */
export type Survivor = { file: string; at: number; line: string; change: string };

export type Result = {
  detected: number;
  survivors: Survivor[];
  /** Mutants that no run decides, counted by reason. */
  leftOut: Map<string, number>;
};

const DETECTED = ['Killed', 'Timeout'];
const SURVIVED = ['Survived', 'NoCoverage'];
const MAX_TEXT = 100;

const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, MAX_TEXT);

function textAt(source: string, { start, end }: ReportedMutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? '').slice(0, end.column - 1);
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  return lines.join('\n');
}

export const survivorOf = (file: string, source: string, mutant: ReportedMutant): Survivor => {
  const { location, mutatorName, replacement = mutatorName } = mutant;
  return {
    file,
    at: location.start.line,
    line: (source.split('\n')[location.start.line - 1] ?? '').trim(),
    change: `${short(textAt(source, location))} → ${short(replacement)}`,
  };
};

export function readReport({ files }: Report): Result {
  const result: Result = { detected: 0, survivors: [], leftOut: new Map() };
  for (const [file, { mutants, source }] of Object.entries(files))
    for (const mutant of mutants) {
      const { status, statusReason = '' } = mutant;
      if (DETECTED.includes(status)) result.detected++;
      else if (SURVIVED.includes(status)) result.survivors.push(survivorOf(file, source, mutant));
      else {
        const reason = status === 'Ignored' ? statusReason : status;
        result.leftOut.set(reason, (result.leftOut.get(reason) ?? 0) + 1);
      }
    }
  return result;
}

/** The history of a world as lines of text, with a digest that two runs of a seed can compare. */
import { createHash } from 'node:crypto';

export type History = {
  write(who: string, what: string): void;
  /** The last lines. */
  tail(): readonly string[];
  digest(): string;
  count(): number;
};

const KEPT_LINES = 400;

/** @param about lines that hold this text are printed at once; null: none */
export function createHistory(now: () => number, about: string | null): History {
  const hash = createHash('sha256');
  let lines: string[] = [];
  let count = 0;
  return {
    write: (who, what) => {
      const line = `${clockText(now())} ${who}: ${what}`;
      if (about !== null && line.includes(about)) console.log(line);
      hash.update(`${line}\n`);
      count++;
      lines.push(line);
      if (lines.length >= 2 * KEPT_LINES) lines = lines.slice(-KEPT_LINES);
    },
    tail: () => lines.slice(-KEPT_LINES),
    digest: () => hash.copy().digest('hex'),
    count: () => count,
  };
}

/** Days, then hours, minutes, seconds and milliseconds: `0d 01:02:03.004`. */
export function clockText(ms: number): string {
  const part = (unit: number, below: number, width = 2): string =>
    String(Math.floor(ms / unit) % below).padStart(width, '0');
  const time = `${part(3_600_000, 24)}:${part(60_000, 60)}:${part(1000, 60)}.${part(1, 1000, 3)}`;
  return `${Math.floor(ms / 86_400_000)}d ${time}`;
}

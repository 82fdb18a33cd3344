/** Commands with several actions, such as `orders find`: their arguments and their answers. */
import { isPageText } from '../contract/visible-text.js';
import type { Span } from '../ledger/operator-ledger.js';
import { MAX_NOTE_CHARACTERS, sentence } from '../operator/sentence.js';
import {
  FLAG,
  readArguments,
  required,
  TEXT,
  UsageError,
  type Command,
  type Flags,
  type Values,
} from './arguments.js';

/** How long a command works before it says so, and how long until it says more. */
const EVERY_MS = 2000;

/** Shows a person at a terminal that a command still works, and how far it is. */
export type Progress = {
  /** What stands there from now on, such as `2000 orders`. */
  set(text: string): void;
  /** Takes it away. */
  end(): void;
};

export type Given = {
  readonly config: string;
  /** The argument that is no flag; empty where the action takes none. */
  readonly id: string;
  readonly isJson: boolean;
  readonly values: Values;
  readonly progress: Progress;
};

export type Action = {
  /** Whether it takes an argument that is no flag; `maybe`: its flags can stand for it. */
  readonly takes: 'one' | 'maybe' | 'none';
  readonly flags?: Flags;
  run(given: Given): Promise<void>;
};

/** @throws UsageError */
export const withActions = (text: string, actions: Readonly<Record<string, Action>>): Command => {
  const usage = `${text}\nWith --json a script can read the answer.`;
  return { usage, run: (args) => runAction(usage, actions, args) };
};

async function runAction(
  usage: string,
  actions: Readonly<Record<string, Action>>,
  given: readonly string[],
): Promise<void> {
  const [name = '', ...args] = given;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action)
    throw new UsageError(
      `${given.join(' ')}: expected ${Object.keys(actions).join(', ')}\n${usage}`,
    );
  const flags = { config: TEXT, json: FLAG, ...action.flags };
  const { positionals, values } = readArguments(args, flags, usage);
  const [id = '', ...rest] = positionals;
  const isMissing = action.takes === 'one' && id.trim() === '';
  const isMore = rest.length > 0 || (action.takes === 'none' && id !== '');
  if (isMissing || isMore) throw new UsageError(usage);
  const config = required(values, 'config', usage);
  const progress = startProgress(process.stderr);
  try {
    await action.run({ config, id, values, progress, isJson: values.json === true });
  } finally {
    progress.end();
  }
}

/** @param output a script that reads it gets nothing */
export function startProgress(output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): Progress {
  if (!output.isTTY) return { set: () => {}, end: () => {} };
  let shown = '';
  let text = 'still working…';
  const timer = setInterval(() => {
    // a shorter text must cover the former one
    shown = text.padEnd(shown.length);
    output.write(`\r${shown}`);
  }, EVERY_MS);
  return {
    set: (next) => {
      text = next;
    },
    end: () => {
      clearInterval(timer);
      if (shown !== '') output.write(`\r${' '.repeat(shown.length)}\r`);
    },
  };
}

const MAX_NAME_CHARACTERS = 100;

/** @throws UsageError when `--by` is no name that a person can read */
export function readBy({ values }: Given): string {
  const name = required(values, 'by', 'who does it? write --by NAME').trim();
  if ([...name].length > MAX_NAME_CHARACTERS || !isPageText(name) || /[\n\t]/.test(name))
    throw new UsageError(`--by: expected 1 to ${MAX_NAME_CHARACTERS} visible characters`);
  return name;
}

/** @throws UsageError */
export function readText({ values }: Given, name: string, max: number): string | undefined {
  const text = values[name];
  if (typeof text !== 'string') return undefined;
  if (text.trim() === '' || [...text].length > max)
    throw new UsageError(`--${name}: expected 1 to ${max} characters`);
  return text;
}

/** @throws UsageError when it is no text that others can read */
export function readSentence({ values }: Given, name: string): string | undefined {
  const text = values[name];
  if (typeof text !== 'string') return undefined;
  const read = sentence(MAX_NOTE_CHARACTERS).safeParse(text);
  if (!read.success)
    throw new UsageError(`--${name}: expected 1 to ${MAX_NOTE_CHARACTERS} visible characters`);
  return read.data;
}

/** @throws UsageError when the value is none of `allowed` */
export function readOneOf<T extends string>(
  given: Given,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const text = readText(given, name, 100);
  const found = allowed.find((each) => each === text);
  if (text !== undefined && found === undefined)
    throw new UsageError(`--${name}: ${text}; expected ${allowed.join(', ')}`);
  return found;
}

const MAX_LIMIT = 500;

/** @throws UsageError */
export function readLimit(given: Given): number {
  const text = readText(given, 'limit', 10) ?? '50';
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > MAX_LIMIT)
    throw new UsageError(`--limit: ${text}; expected 1 to ${MAX_LIMIT}`);
  return limit;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/;

/**
 * A date is a whole day of this machine's time zone: its beginning, or with `end` its end.
 *
 * @throws UsageError
 */
export function readMoment(given: Given, name: string, end?: 'end'): number | undefined {
  const text = readText(given, name, 40);
  if (text === undefined) return undefined;
  const isDate = DATE.test(text);
  const at = isDate || MOMENT.test(text) ? new Date(isDate ? `${text}T00:00` : text) : null;
  const isReal = at !== null && !Number.isNaN(at.getTime()) && isRealDay(text.slice(0, 10));
  if (!isReal)
    throw new UsageError(
      `--${name}: ${text}; expected a date such as 2026-11-27, or 2026-11-27T09:30+03:00`,
    );
  if (!isDate || end === undefined) return at.getTime();
  // a day of a time zone may have 23 or 25 hours, and may begin at one o'clock
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return new Date(year, month - 1, day + 1).getTime() - 1;
}

/** The 31st of a shorter month would become a day of the next one. */
const isRealDay = (date: string): boolean =>
  new Date(`${date}T00:00Z`).getUTCDate() === Number(date.slice(8));

/** @throws UsageError when the span ends before it begins */
export function readSpan(given: Given, from: string, to: string): Partial<Span> {
  const since = readMoment(given, from);
  const until = readMoment(given, to, 'end');
  if (since !== undefined && until !== undefined && until < since)
    throw new UsageError(`--${to}: expected a time after --${from}`);
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
}

/** Reads a command's arguments; reports a mistake in them as one line and the usage. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { LOOPBACK } from '../node/listener.js';

export type Command = { usage: string; run(args: string[]): Promise<void> };

/** A mistake in the arguments of a command; the process ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Whether one of these flags is given; arguments after `--` are not flags. */
export function asksFor(args: readonly string[], ...flags: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((each) => flags.includes(each));
}

/** A flag with a value. */
export const TEXT = { type: 'string' } as const;
/** A flag without one. */
export const FLAG = { type: 'boolean' } as const;

export type Flags = NonNullable<ParseArgsConfig['options']>;
/** What the flags were given; a flag that is absent has no value. */
export type Values<F extends Flags = Flags> = ReturnType<
  typeof parseArgs<{ options: F }>
>['values'];

/** @throws UsageError */
export function readArguments<const F extends Flags>(
  args: string[],
  options: F,
  usage: string,
): { values: Values<F>; positionals: string[] } {
  const known: Flags = options;
  const { positionals, tokens, values } = parse(args, known, usage);
  const withValue = tokens.flatMap((token) =>
    token.kind === 'option' && token.value !== undefined && !known[token.name]?.multiple
      ? token.name
      : [],
  );
  const twice = withValue.find((name, at) => withValue.indexOf(name) !== at);
  // the last value would win, although nobody knows which of the two is meant
  if (twice !== undefined) throw new UsageError(`--${twice} is given twice\n${usage}`);
  return { positionals, values: values as Values<F> };
}

function parse(args: string[], options: Flags, usage: string) {
  try {
    return parseArgs({ args, options, allowPositionals: true, tokens: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : ''}\n${usage}`);
  }
}

/**
 * Reads the arguments of a command that has flags only.
 *
 * @throws UsageError
 */
export function readFlags<const F extends Flags>(
  args: string[],
  options: F,
  usage: string,
): Values<F> {
  const { positionals, values } = readArguments(args, options, usage);
  if (positionals.length > 0)
    throw new UsageError(`${positionals.join(' ')}: expected no more arguments\n${usage}`);
  return values;
}

/** @throws UsageError when the option is missing or empty */
export function required(values: Values, name: string, usage: string): string {
  const value = values[name];
  if (typeof value !== 'string' || value.trim() === '')
    throw new UsageError(`--${name} is required\n${usage}`);
  return value;
}

/**
 * @returns undefined when the option is missing
 * @throws UsageError when the option is not a URL of http or https; `localhost:3000` is one of a
 *   scheme `localhost`. Also when it has a user or a password, which its output would show.
 */
export function readUrl(values: Values, name: string, usage: string): string | undefined {
  const value = values[name];
  if (typeof value !== 'string') return undefined;
  if (value.includes('@') && !/^https?:\/\/[^/?#\\@]*([/?#]|$)/i.test(value))
    throw new UsageError(`--${name}: expected a URL without a user and a password\n${usage}`);
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value))
    throw new UsageError(`--${name}: ${value}; expected a URL such as http://…\n${usage}`);
  return value;
}

/** @throws UsageError when `--host` is empty */
export function readHost({ host = LOOPBACK }: Values, usage: string): string {
  if (typeof host === 'string' && host !== '') return host;
  throw new UsageError(`--host: expected an address of this machine\n${usage}`);
}

/** @throws UsageError when `--port` is not a port */
export function readPort(values: Values, byDefault: string, usage: string): number {
  const { port = byDefault } = values;
  if (typeof port === 'string' && /^\d{1,5}$/.test(port) && Number(port) <= 65_535)
    return Number(port);
  throw new UsageError(`--port: ${String(port)}; expected 0 to 65535\n${usage}`);
}

/** How the console writes amounts, times and words of the relay. */
import { moneyText } from '../../relay/contract/money-text.js';

const LOCALE = 'en';

export const money = (amount: string, currency: string): string =>
  moneyText(amount, currency, LOCALE);

/** @param amounts by their currency */
export const sumsOf = (amounts: Readonly<Record<string, string>>): string =>
  Object.entries(amounts)
    .map(([currency, amount]) => money(amount, currency))
    .join(', ') || '–';

const MOMENT = new Intl.DateTimeFormat(LOCALE, {
  year: 'numeric',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** In the time zone of this browser. */
export const moment = (instant: string): string => MOMENT.format(new Date(instant));

const HOUR = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'short' });

/** In the time zone of this browser, such as 2026-11-27 14:00; a spreadsheet reads it as a time. */
export const localHour = (instant: string): string => HOUR.format(new Date(instant));

const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const;

/** A duration in its two largest units, or in seconds. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  for (const [index, [size, name]] of UNITS.entries()) {
    if (whole < size) continue;
    const [nextSize, nextName] = UNITS[index + 1] ?? [1, 's'];
    const rest = Math.floor((whole % size) / nextSize);
    return `${Math.floor(whole / size)} ${name}${rest > 0 ? ` ${rest} ${nextName}` : ''}`;
  }
  return `${whole} s`;
}

export const since = (instant: string, now: number): string =>
  duration((now - Date.parse(instant)) / 1000);

export const howOften = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** @param noun whose plural ends with an s */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

export const tried = (tries: number): string => (tries === 1 ? '1 try' : `${tries} tries`);

/** `amount_mismatch` → `amount mismatch`. */
export const words = (code: string): string => code.replaceAll('_', ' ');

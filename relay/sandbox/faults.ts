/** Faults on demand: the effect of each fault, and which faults are active for how many calls. */
import { z } from 'zod';
import { readBody } from './control-body.js';
import { operationNames } from './fields.js';

export const faults = {
  slow: 'answers late',
  never_answers: 'the call takes effect, but no answer is sent',
  cut_before: 'the connection is cut without an effect',
  cut_after: 'the call takes effect, then the connection is cut',
  http_500_html: '500 with an HTML page, without an effect',
  http_500_html_after: 'the call takes effect, then 500 with an HTML page',
  html_200: 'the call takes effect, then 200 with an HTML page',
  broken_json: 'the call takes effect, then JSON that does not parse',
  cut_mid_body: 'the call takes effect, then half of the answer and a cut connection',
  missing_data: 'the call takes effect, then an envelope without data',
  refusal: 'a refusal, without an effect',
  late_effect: '500 at once, and the call takes effect later',
  wrong_amount: 'the call takes effect; order_amount is wrong',
  wrong_currency: 'the call takes effect; currency is wrong',
  unknown_status: 'the call takes effect; the status is unknown',
  two_links: 'the call takes effect; two links are returned',
  no_link: 'the call takes effect; no link is returned',
  hostile_link: 'the call takes effect; the link is a script',
  off_list_link: 'the call takes effect; the link leads to another host',
  wrong_code: 'the call takes effect; the QR code is a broken one of a bank',
  code_number: 'code is a number',
  code_string: 'code is a string',
} as const;

export type FaultName = keyof typeof faults;
export type Fault = {
  /** The operation that fails; `*` is any. */
  operation: string;
  fault: FaultName;
  /** How many calls fail; 0: all, until the faults are cleared. */
  times: number;
  /** For `slow` and `late_effect`. */
  delay_ms: number;
  /**
   * The code of `refusal`, the status of `unknown_status`, the field of `wrong_amount` and
   * `wrong_currency`, the link of `hostile_link` and `off_list_link`, and the code of `wrong_code`.
   */
  value: string;
};

const DEFAULT_DELAY_MS = 1500;
/** Short, because the chaos mode delays many calls. */
const CHAOS_DELAY_MS = 200;

/** A form of a page sends numbers as text. */
const count = z.union([z.int().min(0), z.string().regex(/^\d+$/).transform(Number)], {
  error: 'expected a whole number',
});

const faultBody: z.ZodType<Fault> = z
  .strictObject({
    operation: z.enum(['*', ...operationNames]).default('*'),
    fault: z.enum(Object.keys(faults) as FaultName[]),
    times: count.default(1),
    delay_ms: count.default(DEFAULT_DELAY_MS),
    value: z.union([z.string(), z.number().transform(String)]).default(''),
  })
  .refine(({ fault, value }) => fault !== 'unknown_status' || /^(-?\d+)?$/.test(value), {
    path: ['value'],
    error: 'expected a whole number',
  });

/** `rate`: the part of all calls that fail, from 0, which ends the chaos, to 1. */
export const chaosBody = z.strictObject({
  rate: z.number().min(0).max(1),
  seed: z.int().default(1),
});

/** Faults of the chaos mode: each delays, loses or refuses an answer. */
const CHAOS: readonly FaultName[] = [
  'cut_before',
  'cut_after',
  'http_500_html',
  'http_500_html_after',
  'html_200',
  'broken_json',
  'cut_mid_body',
  'missing_data',
  'late_effect',
  'slow',
  'never_answers',
  'refusal',
];

type FaultList = {
  readonly active: readonly Fault[];
  add(body: unknown): { wrong: string } | Fault;
  /** The fault for the next call of an operation; each call uses up one of its `times`. */
  take(operation: string): Fault | null;
  /**
   * Gives a part of all calls a random fault that real services show. The same seed gives the same
   * faults.
   */
  chaos(rate: number, seed: number): void;
  clear(): void;
};

export function createFaults(): FaultList {
  let active: Fault[] = [];
  let chaos = { rate: 0, state: 1 };
  /** A linear congruential generator, because the same seed must give the same faults. */
  const random = (): number => {
    chaos.state = (Math.imul(chaos.state, 1664525) + 1013904223) >>> 0;
    return chaos.state / 2 ** 32;
  };
  return {
    get active() {
      return active;
    },
    add: (body) => {
      const fault = readBody(faultBody, body);
      if (!('wrong' in fault)) active.push(fault);
      return fault;
    },
    take: (operation) => {
      const fault = active.find(
        (candidate) => candidate.operation === operation || candidate.operation === '*',
      );
      if (!fault) {
        if (chaos.rate === 0 || random() >= chaos.rate) return null;
        const name = CHAOS[Math.floor(random() * CHAOS.length)] ?? 'cut_after';
        return { operation, fault: name, times: 1, delay_ms: CHAOS_DELAY_MS, value: '' };
      }
      if (fault.times === 1) active = active.filter((candidate) => candidate !== fault);
      else if (fault.times > 1) fault.times--;
      return fault;
    },
    chaos: (rate, seed) => {
      chaos = { rate, state: seed >>> 0 };
    },
    clear: () => {
      active = [];
      chaos = { ...chaos, rate: 0 };
    },
  };
}

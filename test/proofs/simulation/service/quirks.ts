/** How the service and the network treat one call, drawn from the random stream of its order. */
import type { Random } from '../chance.js';
import type { FaultName } from '../faults/names.js';
import type { Traits } from './book.js';

/** What a world's service promises, because the relay's configuration relies on it. */
export type Promises = {
  /** It finds an order by its request_id at once, and no request arrives late. */
  readonly findsByRequestId: boolean;
};

export type PayQuirk =
  | 'none'
  | 'lost_request'
  | 'late_request'
  | 'lost_answer'
  | 'late_answer'
  | 'broken_json'
  | 'server_error'
  | 'refused'
  | 'refused_but_made'
  | 'rate_limited';

const PAY_WEIGHTS: Readonly<Record<PayQuirk, number>> = {
  none: 76,
  lost_request: 3,
  late_request: 2,
  lost_answer: 4,
  late_answer: 4,
  broken_json: 2,
  server_error: 2,
  refused: 3,
  refused_but_made: 1,
  rate_limited: 3,
};

export const payQuirk = (random: Random, { findsByRequestId }: Promises): PayQuirk => {
  const quirk = random.weighted(PAY_WEIGHTS);
  return quirk === 'late_request' && findsByRequestId ? 'lost_request' : quirk;
};

export type QueryQuirk =
  | 'none'
  | 'lost_request'
  | 'lost_answer'
  | 'late_answer'
  | 'server_error'
  | 'rate_limited'
  | 'stale'
  | 'not_found';

const QUERY_WEIGHTS: Readonly<Record<QueryQuirk, number>> = {
  none: 940,
  lost_request: 6,
  lost_answer: 6,
  late_answer: 14,
  server_error: 8,
  rate_limited: 10,
  stale: 12,
  not_found: 4,
};

export const queryQuirk = (random: Random, { findsByRequestId }: Promises): QueryQuirk => {
  const quirk = random.weighted(QUERY_WEIGHTS);
  return quirk === 'not_found' && findsByRequestId ? 'none' : quirk;
};

export const drawTraits = (random: Random): Traits => ({
  echo: random.weighted({ full: 86, absent: 5, absent_in_query: 6, wrong: 3 }),
  status: random.weighted({
    plain: 86,
    text: 3,
    odd_first: 3,
    unmapped_for_a_while: 4,
    paid_at_once: 4,
  }),
  link: random.weighted({ one: 92, none: 4, two: 2, other_host: 2 }),
  expiry: random.weighted({ never: 35, silent: 25, refuses_later: 25, takes_later: 15 }),
});

/** The row of the table in which each quirk counts. */
export const faultOfQuirk: Readonly<Record<PayQuirk | QueryQuirk, FaultName | null>> = {
  none: null,
  lost_request: 'lost_request',
  late_request: 'late_request',
  lost_answer: 'lost_answer',
  late_answer: 'late_answer',
  broken_json: 'unreadable_answer',
  server_error: 'unreadable_answer',
  refused: 'refusal',
  refused_but_made: 'refusal',
  rate_limited: 'rate_limit',
  stale: 'late_answer',
  not_found: 'refusal',
};

export function faultsOfTraits({ echo, link, status }: Traits): FaultName[] {
  const found: FaultName[] = [];
  if (echo === 'absent' || echo === 'absent_in_query') found.push('absent_echo');
  if (echo === 'wrong') found.push('wrong_echo');
  if (status !== 'plain') found.push('odd_status');
  if (link !== 'one') found.push('odd_link');
  return found;
}

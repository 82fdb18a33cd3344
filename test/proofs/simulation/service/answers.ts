/** The service's answers as text, in every form that its document allows. */
import type { Random } from '../chance.js';
import type { Book, BookOrder } from './book.js';
import { STATUS } from './statuses.js';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** HTTP status and body. */
export type Reply = { status: number; text: string };

export const envelope = (data: object): string =>
  JSON.stringify({ code: 200, message: 'success', data });

export const refusal = (code: number, message: string): string =>
  JSON.stringify({ code: String(code), message, data: null });

type Echoes = { request_id?: string; currency?: string; order_amount?: string };

const trueEchoes = ({ amount, currency, requestId }: BookOrder): Echoes => ({
  request_id: requestId,
  currency,
  order_amount: amount,
});

/** A different code for each `nth`: `XAB`, `XAC` and so on. */
const wrongCurrency = (nth: number): string =>
  `X${LETTERS[Math.floor(nth / LETTERS.length) % LETTERS.length]}${LETTERS[nth % LETTERS.length]}`;

/** One field of another order of the partner, or a wrong amount. */
function wrongEchoes(order: BookOrder, random: Random, book: Book): Echoes {
  const right = trueEchoes(order);
  const other = latestForeign(book, random);
  const touchForeign = (): void => {
    if (other) order.touched.add(other.kind === 'payout' ? 'foreign_payouts' : 'foreign_orders');
  };
  const kind = random.pick(['request_id', 'amount', 'currency', 'all']);
  // no wrong amount or currency is told twice: a relay that lost the order in a restore has only
  // the service's answers, and rightly believes what it reads twice
  const lies = ++order.lies;
  if (kind === 'request_id' || kind === 'all') touchForeign();
  if (kind === 'request_id') return { ...right, request_id: other?.requestId ?? 'somebody-else' };
  if (kind === 'amount') return { ...right, order_amount: (lies / 100).toFixed(2) };
  if (kind === 'currency') return { ...right, currency: wrongCurrency(lies) };
  return other ? trueEchoes(other) : { ...right, request_id: 'somebody-else' };
}

/** The latest order or payout of another shop of the partner. */
const latestForeign = (book: Book, random: Random): BookOrder | undefined => {
  const wanted = random.chance(0.5) ? 'payout' : 'payment';
  return book.foreign().findLast(({ kind }) => kind === wanted);
};

/** Notes the amount and the currency that an answer tells. */
function noteEchoes({ echoed }: BookOrder, { currency, order_amount }: Echoes): void {
  if (order_amount !== undefined) echoed.amounts.add(order_amount);
  if (currency !== undefined) echoed.currencies.add(currency);
}

const linkOf = (order: BookOrder): object => {
  const { channel, orderNo, requestId, traits } = order;
  const page = { checkout_url: `https://pay.example/${orderNo}` };
  const code = { qrcode_string: `code:${orderNo}:${requestId}` };
  if (traits.link === 'none') return {};
  if (traits.link === 'two') return { ...page, ...code };
  if (traits.link === 'other_host') return { checkout_url: `https://evil.example/${orderNo}` };
  if (channel === 'qr') return code;
  return channel === 'wallet' ? { wallet_url: `bankapp://pay/${orderNo}` } : page;
};

/** The data of the answer to a pay. */
export function payAnswer(order: BookOrder, random: Random, book: Book): object {
  const { echo } = order.traits;
  const isWrong = echo === 'wrong' && random.chance(0.5);
  const told = isWrong ? wrongEchoes(order, random, book) : trueEchoes(order);
  const echoes = echo === 'absent' ? {} : told;
  noteEchoes(order, echoes);
  return {
    ...echoes,
    order_no: order.orderNo,
    partner_id: 'p1',
    status: statusText(order, order.status),
    ...linkOf(order),
  };
}

/** Notes the status that an answer tells. */
function statusText({ statuses, traits }: BookOrder, status: number): number | string {
  statuses.add(status);
  return traits.status === 'text' ? String(status) : status;
}

/** How long after a change the service tells a status that no status table has. */
const UNMAPPED_FOR_MS = 20_000;
/** How long after a change an answer may still tell the status before the change. */
const STALE_FOR_MS = 10_000;

/**
 * The data of the answer to a query.
 *
 * @returns `told`: whether the answer says in full that this order is paid
 */
export function orderAnswer(
  order: BookOrder,
  random: Random,
  book: Book,
  { now, stale }: { now: number; stale: boolean },
): { answer: object; told: 'paid' | 'other' } {
  const { before, traits } = order;
  const sinceChange = now - before.changedAt;
  let { status } = order;
  if (stale && sinceChange < STALE_FOR_MS) status = before.status;
  if (traits.status === 'unmapped_for_a_while' && status !== STATUS.created)
    if (sinceChange < UNMAPPED_FOR_MS) status = STATUS.unmapped;
  const isWrong = traits.echo === 'wrong' && random.chance(0.2);
  const toldEchoes = isWrong ? wrongEchoes(order, random, book) : trueEchoes(order);
  const isAbsent = traits.echo === 'absent' || traits.echo === 'absent_in_query';
  const echoes = isAbsent ? {} : toldEchoes;
  noteEchoes(order, echoes);
  return {
    answer: {
      ...echoes,
      order_no: order.orderNo,
      status: statusText(order, isWrong && random.chance(0.5) ? STATUS.paid : status),
    },
    told: status === STATUS.paid && !isWrong ? 'paid' : 'other',
  };
}

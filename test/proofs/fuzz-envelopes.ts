/** Fuzzes the answers that the relay receives from the order service. */
import { createRelay } from '../../relay/app.js';
import { parseConfig } from '../../relay/config/parse-config.js';
import { compareDecimals, isDecimal } from '../../relay/contract/decimal.js';
import { memoryLedger } from '../../relay/ledger/memory-ledger.js';
import { systemClock } from '../../relay/runtime.js';
import { openIntent, postRequest, readSecret, testConfig } from '../suite/support/world.js';
import { CASES_PER_WORLD, isCrash, mutated } from './fuzz-mutations.js';
import { each, type Random } from './proof.js';
import { findOrder } from '../suite/support/ledger-calls.js';

/** The documented data of an envelope. */
type OrderData = {
  status: unknown;
  request_id?: unknown;
  currency?: unknown;
  order_amount?: unknown;
};

/**
 * What one answer of the service means. `data`: an envelope with code 200 and an HTTP success.
 * `refused`: an envelope with another code, below HTTP 500. `lost`: anything else.
 */
type ServiceAnswer = {
  operation: 'pay' | 'query';
  kind: 'data' | 'refused' | 'lost';
  data: OrderData | null;
};

function readAnswer(status: number, text: string): Pick<ServiceAnswer, 'kind' | 'data'> {
  const lost = { kind: 'lost', data: null } as const;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return lost;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return lost;
  const { code, data, message } = body as { code?: unknown; data?: unknown; message?: unknown };
  const isCode = typeof code === 'string' || Number.isSafeInteger(code);
  const isMessage = message === undefined || message === null || typeof message === 'string';
  if (!isCode || !isMessage) return lost;
  if (String(code) !== '200') return status < 500 ? { kind: 'refused', data: null } : lost;
  if (status < 200 || status > 299 || typeof data !== 'object' || data === null) return lost;
  return { kind: 'data', data: data as OrderData };
}

const isPaid = ({ status }: OrderData): boolean => status === 20 || status === '20';

/** Whether an echo differs from the request; null counts as no echo. */
const differs = ({ currency, order_amount, request_id }: OrderData, id: string): boolean =>
  (request_id ?? id) !== id ||
  (currency ?? openIntent.currency) !== openIntent.currency ||
  !isDecimal(String(order_amount ?? openIntent.amount)) ||
  compareDecimals(String(order_amount ?? openIntent.amount), openIntent.amount) !== 0;

const hasAllEchoes = ({ currency, order_amount, request_id }: OrderData): boolean =>
  [currency, order_amount, request_id].every((echo) => echo !== undefined && echo !== null);

/**
 * Whether the answers prove a payment: one reports success, and its echoes equal the request. The
 * first answer with data must have all three echoes, and a query does not count when every pay
 * before it was refused.
 */
const isProven = (answers: readonly ServiceAnswer[], id: string): boolean =>
  answers.some(({ data, operation }, index) => {
    if (!data || !isPaid(data) || differs(data, id)) return false;
    const before = answers.slice(0, index);
    if (before.some((answer) => answer.data !== null)) return true;
    const pays = before.filter((answer) => answer.operation === 'pay');
    const allRefused = pays.length > 0 && pays.every(({ kind }) => kind === 'refused');
    return hasAllEchoes(data) && !(operation === 'query' && allRefused);
  });

/** Counts of the orders by outcome, and every failure in full. */
type Outcomes = {
  valid: number;
  succeeded: number;
  reviews: number;
  paidBeforeAnswer: number;
  crashes: string[];
  invented: string[];
};

type Shown = {
  request_id: string;
  order_key: string;
  outcome: string;
  next_action: { checkout_url?: string; wallet_url?: string } | null;
};

/** Lets the order service answer with valid and broken envelopes. */
export async function fuzzEnvelopes(count: number, random: Random): Promise<Outcomes> {
  const crashes: string[] = [];
  const invented: string[] = [];
  const figures = { valid: 0, succeeded: 0, reviews: 0, paidBeforeAnswer: 0 };
  const config = parseConfig(
    {
      ...testConfig,
      service: { ...testConfig.service, timeout_ms: 20_000, queries_per_second: 1_000_000 },
    },
    readSecret,
  );
  const draw = (request_id: string): { status: number; text: string } => {
    if (random.chance(0.1)) return { status: 200, text: '{"code":"5001","message":"refused"}' };
    const data: Record<string, unknown> = {
      status: random.pick([11, 11, 20, '20', 30, 77]),
      request_id,
      order_no: 'S1',
      currency: 'USD',
      order_amount: '12.50',
      [random.pick(['qrcode_string', 'checkout_url', 'wallet_url'])]: random.pick([
        'https://service.example/x',
        'javascript:1',
        'qr',
      ]),
    };
    const changed = random.chance(0.5) ? mutated(random, data) : data;
    const envelope: unknown = random.chance(0.6)
      ? { code: random.pick([200, '200']), message: 'ok', data: changed }
      : mutated(random, { code: 200, message: 'ok', data: changed });
    const text = random.chance(0.05)
      ? random.pick(['', '<html>', '{"code":200', random.text(20)])
      : JSON.stringify(envelope);
    return { status: random.pick([200, 200, 200, 400, 500, 302]), text };
  };
  for (let done = 0; done < count; done += CASES_PER_WORLD) {
    const answersByOrder = new Map<string, ServiceAnswer[]>();
    const ledger = memoryLedger();
    let shift = 0;
    const relay = createRelay({
      config,
      ledger,
      clock: {
        now: () => Date.now() + shift,
        elapsed: () => performance.now() + shift,
        sleep: systemClock.sleep,
      },
      send: async (path, json) => {
        const { request_id } = JSON.parse(json) as { request_id: string };
        const operation = path.endsWith('/pay') ? 'pay' : 'query';
        // the breaker's probe queries an order that does not exist
        const isProbe = operation === 'query' && !answersByOrder.has(request_id);
        if (isProbe) return { status: 200, text: '{"code":4040}' };
        const answer = draw(request_id);
        const answers = answersByOrder.get(request_id) ?? [];
        answersByOrder.set(request_id, answers);
        answers.push({ operation, ...readAnswer(answer.status, answer.text) });
        return answer;
      },
    });
    const ask = async (
      path: string,
      body: object,
    ): Promise<{ status: number; order: Shown | undefined }> => {
      const response = await relay.fetch(postRequest(path, body));
      const answer = (await response.json()) as { order?: Shown };
      if (isCrash(response.status, answer))
        crashes.push(`${path} ${response.status} ${JSON.stringify(answer).slice(0, 200)}`);
      return { status: response.status, order: answer.order };
    };
    /** Several lost answers in a row open the breaker; its probe closes it. */
    const closeBreaker = async (): Promise<void> => {
      shift += 1001;
      await relay.tick();
    };
    const place = async (): Promise<Shown | undefined> => {
      const pay = {
        ...openIntent,
        attempt: crypto.randomUUID(),
        option: random.pick(['qr', 'card', 'wallet', 'chain']),
      };
      let answer = await ask('/v1/pay', pay);
      for (let tries = 0; answer.status === 503 && tries < 5; tries++) {
        await closeBreaker();
        answer = await ask('/v1/pay', pay);
      }
      return answer.order;
    };
    const judge = (order: Shown, before: Shown | undefined): void => {
      const answers = answersByOrder.get(order.request_id) ?? [];
      const link = order.next_action?.checkout_url ?? order.next_action?.wallet_url;
      const unproven = order.outcome === 'succeeded' && !isProven(answers, order.request_id);
      const hostile = link !== undefined && !link.startsWith('https://service.example/');
      // success is final, and only a person can end a review
      const isFinal = before?.outcome === 'succeeded' || before?.outcome === 'review';
      if (unproven || hostile || (isFinal && order.outcome !== before.outcome))
        invented.push(
          `${JSON.stringify(answers).slice(0, 600)} → ${JSON.stringify(order).slice(0, 300)}`,
        );
    };
    await each(Math.min(CASES_PER_WORLD, count - done), 16, async () => {
      const placed = await place();
      if (!placed) return;
      const { order_key, request_id } = placed;
      judge(placed, undefined);
      let shown = placed;
      for (let left = random.integer(4); left > 0; left--) {
        // the relay queries an order at most once a second
        shift += 1001;
        const { order } = await ask('/v1/query', { request_id, order_key });
        if (!order) continue;
        judge(order, shown);
        shown = order;
      }
      const answers = answersByOrder.get(request_id) ?? [];
      if (answers.some(({ data }) => data !== null)) figures.valid++;
      if (shown.outcome === 'succeeded') figures.succeeded++;
      if (shown.outcome === 'review') figures.reviews++;
      const reason = (await findOrder(ledger, request_id))?.review_reason ?? null;
      if (reason === 'paid_before_answer') figures.paidBeforeAnswer++;
    });
    await relay.close();
  }
  return { ...figures, crashes, invented };
}

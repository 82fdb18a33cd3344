/**
 * Requests of every form, and envelopes of every form: no crash, no rejection left over, no 5xx
 * beside the documented codes, no success made up.
 */
import { failureStatuses } from '../../relay/contract/failure.js';
import { createRelay } from '../../relay/app.js';
import { systemClock } from '../../relay/runtime.js';
import { parseConfig } from '../../relay/config/parse-config.js';
import { memoryLedger } from '../../relay/ledger/memory-ledger.js';
import { compareDecimals, isDecimal } from '../../relay/contract/decimal.js';
import {
  bearer,
  createWorld,
  openIntent,
  readSecret,
  testConfig,
  type World,
} from '../support/world.js';
import {
  createRandom,
  counts,
  each,
  keepAlive,
  percentage,
  watchRejections,
  type Random,
  type Proof,
} from './proof.js';

const NASTY: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '‮',
  '0',
  '-1',
  '1e9',
  'NaN',
  '9'.repeat(400),
  'x'.repeat(9000),
  [],
  [[]],
  {},
  { __proto__: null },
  { constructor: 1 },
  '__proto__',
  'javascript:alert(1)',
  '<img src=x onerror=alert(1)>',
];

const mutated = (random: Random, body: object): unknown => {
  const entries: [string, unknown][] = Object.entries(body);
  switch (random.whole(6)) {
    case 0:
      return random.pick(NASTY);
    case 1:
      return Object.fromEntries(entries.filter(() => random.chance(0.7)));
    case 2:
      return Object.fromEntries([...entries, [random.text(4), random.pick(NASTY)]]);
    case 3:
      return [body];
    default:
      return Object.fromEntries(
        entries.map(([key, value]) => [key, random.chance(0.4) ? random.pick(NASTY) : value]),
      );
  }
};

/** An undocumented 5xx, or `internal`: the relay did not know what it met. */
const isCrash = (status: number, body: Record<string, unknown>): boolean => {
  const code = (body.error as { code?: string } | undefined)?.code;
  if (status < 400) return false;
  return (
    code === undefined ||
    code === 'internal' ||
    !Object.hasOwn(failureStatuses, code) ||
    failureStatuses[code as 'internal'] !== status
  );
};

async function requests(
  count: number,
  random: Random,
): Promise<{ valid: number; crashes: string[] }> {
  const crashes: string[] = [];
  let valid = 0;
  const paths = ['/v1/checkout', '/v1/pay', '/v1/query', '/v1/deposit-address', '/v1/order-tokens'];
  const whole = (path: string): object =>
    ({
      '/v1/checkout': { ...openIntent },
      '/v1/pay': {
        ...openIntent,
        attempt: crypto.randomUUID(),
        option: random.pick(['qr', 'card', 'wallet']),
        customer: { email: 'a@b.example' },
      },
      '/v1/query': { request_id: crypto.randomUUID(), order_key: 'm.x', known_status: 11 },
      '/v1/deposit-address': {
        currency: random.pick(['XRP', 'BTC']),
        customer_ref_id: `c${random.whole(50)}`,
      },
      '/v1/order-tokens': { ...openIntent, customer_ref_id: 'c' },
    })[path] ?? {};
  const one = async (world: World): Promise<void> => {
    const path = random.chance(0.3) ? '/v1/pay' : random.pick(paths);
    const good = random.chance(0.4);
    const body = good ? whole(path) : mutated(random, whole(path));
    const text =
      !good && random.chance(0.1)
        ? random.pick([
            '',
            '{',
            'null',
            '[1,',
            random.text(30),
            `{"a":${'['.repeat(3000)}`,
            '\ufeff{}',
          ])
        : JSON.stringify(body);
    const headers: Record<string, string> = path === '/v1/order-tokens' ? bearer : {};
    if (!good && random.chance(0.1))
      headers['content-type'] = random.pick([
        'text/plain',
        '',
        'application/jsonx',
        'application/json; charset=utf-16',
      ]);
    if (!good && random.chance(0.1))
      headers.origin = random.pick(['https://evil.example', 'null', 'https://shop.example']);
    if (!good && random.chance(0.05))
      headers.authorization = random.pick([
        'Bearer',
        'Bearer ',
        'Basic x',
        `Bearer ${'x'.repeat(500)}`,
      ]);
    const { body: answer, status } = await world.ask(path, text, headers);
    if (status === 200) valid++;
    if (isCrash(status, answer))
      crashes.push(
        `${path} ${text.slice(0, 200)} → ${status} ${JSON.stringify(answer).slice(0, 200)}`,
      );
  };
  const BATCH = 10_000;
  for (let done = 0; done < count; done += BATCH) {
    const world = createWorld({
      ledger: memoryLedger(),
      config: { service: { ...testConfig.service, timeout_ms: 20_000 } },
    });
    await each(Math.min(BATCH, count - done), 16, () => one(world));
  }
  return { valid, crashes };
}

/** What an envelope honestly says of an order. */
type Said = { status: unknown; request_id?: unknown; currency?: unknown; order_amount?: unknown };

/**
 * What one answer of the service means. `said`: an envelope with code 200 under HTTP success.
 * `refused`: an envelope with another code, below HTTP 500. Anything else is an answer lost.
 */
type Heard = { operation: 'pay' | 'query'; kind: 'said' | 'refused' | 'lost'; said: Said | null };

function readAnswer(status: number, text: string): Pick<Heard, 'kind' | 'said'> {
  const lost = { kind: 'lost', said: null } as const;
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
  if (String(code) !== '200') return status < 500 ? { kind: 'refused', said: null } : lost;
  if (status < 200 || status > 299 || typeof data !== 'object' || data === null) return lost;
  return { kind: 'said', said: data as Said };
}

const isPaid = ({ status }: Said): boolean => status === 20 || status === '20';

/** null is no echo, and a number is its digits. */
const differs = ({ currency, order_amount, request_id }: Said, id: string): boolean =>
  (request_id ?? id) !== id ||
  (currency ?? openIntent.currency) !== openIntent.currency ||
  !isDecimal(String(order_amount ?? openIntent.amount)) ||
  compareDecimals(String(order_amount ?? openIntent.amount), openIntent.amount) !== 0;

const isWhole = ({ currency, order_amount, request_id }: Said): boolean =>
  [currency, order_amount, request_id].every((echo) => echo !== undefined && echo !== null);

/**
 * Whether one of the answers may count as a success: it says so and echoes nothing else than was
 * asked. On first sight all three echoes are there, and not every pay was refused before it.
 */
const isEarned = (heard: readonly Heard[], id: string): boolean =>
  heard.some(({ operation, said }, index) => {
    if (!said || !isPaid(said) || differs(said, id)) return false;
    const before = heard.slice(0, index);
    if (before.some((answer) => answer.said !== null)) return true;
    const pays = before.filter((answer) => answer.operation === 'pay');
    const allRefused = pays.length > 0 && pays.every(({ kind }) => kind === 'refused');
    return isWhole(said) && !(operation === 'query' && allRefused);
  });

type Envelopes = {
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

async function envelopes(count: number, random: Random): Promise<Envelopes> {
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
    const bent = random.chance(0.5) ? mutated(random, data) : data;
    const envelope: unknown = random.chance(0.6)
      ? { code: random.pick([200, '200']), message: 'ok', data: bent }
      : mutated(random, { code: 200, message: 'ok', data: bent });
    const text = random.chance(0.05)
      ? random.pick(['', '<html>', '{"code":200', random.text(20)])
      : JSON.stringify(envelope);
    return { status: random.pick([200, 200, 200, 400, 500, 302]), text };
  };
  const BATCH = 10_000;
  for (let done = 0; done < count; done += BATCH) {
    const heardOf = new Map<string, Heard[]>();
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
        // the breaker's probe asks about an order that nobody has
        if (request_id === 'pay-checkout-probe') return { status: 200, text: '{"code":4040}' };
        const answer = draw(request_id);
        const heard = heardOf.get(request_id) ?? [];
        heardOf.set(request_id, heard);
        const operation = path.endsWith('/pay') ? 'pay' : 'query';
        heard.push({ operation, ...readAnswer(answer.status, answer.text) });
        return answer;
      },
    });
    const ask = async (
      path: string,
      body: object,
    ): Promise<{ status: number; order: Shown | undefined }> => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      const response = await relay.fetch(new Request(`https://shop.example${path}`, init));
      const answer = (await response.json()) as { order?: Shown };
      if (isCrash(response.status, answer))
        crashes.push(`${path} ${response.status} ${JSON.stringify(answer).slice(0, 200)}`);
      return { status: response.status, order: answer.order };
    };
    /** Many silences in a row open the breaker; a probe closes it. */
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
      const heard = heardOf.get(order.request_id) ?? [];
      const link = order.next_action?.checkout_url ?? order.next_action?.wallet_url;
      const unearned = order.outcome === 'succeeded' && !isEarned(heard, order.request_id);
      const hostile = link !== undefined && !link.startsWith('https://service.example/');
      // success is final, and only a person ends a review
      const isFinal = before?.outcome === 'succeeded' || before?.outcome === 'review';
      if (unearned || hostile || (isFinal && order.outcome !== before.outcome))
        invented.push(
          `${JSON.stringify(heard).slice(0, 600)} → ${JSON.stringify(order).slice(0, 300)}`,
        );
    };
    await each(Math.min(BATCH, count - done), 16, async () => {
      const placed = await place();
      if (!placed) return;
      const { order_key, request_id } = placed;
      judge(placed, undefined);
      let shown = placed;
      for (let left = random.whole(4); left > 0; left--) {
        // an order is asked about once a second
        shift += 1001;
        const { order } = await ask('/v1/query', { request_id, order_key });
        if (!order) continue;
        judge(order, shown);
        shown = order;
      }
      const heard = heardOf.get(request_id) ?? [];
      if (heard.some(({ said }) => said !== null)) figures.valid++;
      if (shown.outcome === 'succeeded') figures.succeeded++;
      if (shown.outcome === 'review') figures.reviews++;
      const reason = (await ledger.order(request_id))?.review_reason ?? null;
      if (reason === 'paid_before_answer') figures.paidBeforeAnswer++;
    });
  }
  return { ...figures, crashes, invented };
}

export const fuzz: Proof = {
  sizes: { requests: 500_000, envelopes: 500_000, seed: 1 },
  small: { requests: 6000, envelopes: 6000, seed: 1 },
  run: (sizes) =>
    keepAlive(async () => {
      const rejections = watchRejections();
      const asked = await requests(sizes.requests ?? 0, createRandom(sizes.seed ?? 1));
      const answered = await envelopes(sizes.envelopes ?? 0, createRandom((sizes.seed ?? 1) + 1));
      rejections.stop();
      const crashes = [...asked.crashes, ...answered.crashes];
      const enough =
        asked.valid >= 0.2 * (sizes.requests ?? 0) &&
        answered.valid >= 0.2 * (sizes.envelopes ?? 0) &&
        // each rule has met what it is for
        answered.succeeded > 0 &&
        answered.reviews > 0 &&
        answered.paidBeforeAnswer > 0;
      const example = crashes[0] ?? answered.invented[0];
      return {
        held:
          crashes.length === 0 &&
          answered.invented.length === 0 &&
          rejections.count() === 0 &&
          enough,
        sections: [
          {
            figures: [
              percentage('requests accepted', asked.valid, sizes.requests ?? 0),
              percentage('envelopes with documented data', answered.valid, sizes.envelopes ?? 0),
              ...counts({
                succeeded: answered.succeeded,
                'in review': answered.reviews,
                'of them paid before an answer': answered.paidBeforeAnswer,
              }),
            ],
          },
          {
            figures: counts({
              crashes: crashes.length,
              'successes or links invented': answered.invented.length,
              'unhandled rejections': rejections.count(),
            }),
          },
        ],
        example,
      };
    }),
};

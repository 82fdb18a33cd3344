/** Requests of every form, and envelopes of every form: no crash, no rejection left over, no 5xx beside the documented codes, no success made up. */
import { failureStatuses } from '../../relay/contract/failure.js';
import { createRelay } from '../../relay/app.js';
import { systemClock } from '../../relay/runtime.js';
import { parseConfig } from '../../relay/config/parse-config.js';
import { memoryLedger } from '../../relay/ledger/memory-ledger.js';
import { compareDecimals, isDecimal } from '../../relay/contract/decimal.js';
import { bearer, createWorld, openIntent, SECRETS, testConfig, type World } from '../world.js';
import { chance, each, kept, percent, watchRejections, type Chance, type Proof } from './proof.js';

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

const mutated = (luck: Chance, body: object): unknown => {
  const entries: [string, unknown][] = Object.entries(body);
  switch (luck.whole(6)) {
    case 0:
      return luck.pick(NASTY);
    case 1:
      return Object.fromEntries(entries.filter(() => luck.is(0.7)));
    case 2:
      return Object.fromEntries([...entries, [luck.text(4), luck.pick(NASTY)]]);
    case 3:
      return [body];
    default:
      return Object.fromEntries(
        entries.map(([key, value]) => [key, luck.is(0.4) ? luck.pick(NASTY) : value]),
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
  luck: Chance,
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
        option: luck.pick(['qr', 'card', 'wallet']),
        customer: { email: 'a@b.example' },
      },
      '/v1/query': { request_id: crypto.randomUUID(), order_key: 'm.x', known_status: 11 },
      '/v1/deposit-address': {
        currency: luck.pick(['XRP', 'BTC']),
        customer_ref_id: `c${luck.whole(50)}`,
      },
      '/v1/order-tokens': { ...openIntent, customer_ref_id: 'c' },
    })[path] ?? {};
  const one = async (world: World): Promise<void> => {
    const path = luck.is(0.3) ? '/v1/pay' : luck.pick(paths);
    const good = luck.is(0.4);
    const body = good ? whole(path) : mutated(luck, whole(path));
    const text =
      !good && luck.is(0.1)
        ? luck.pick(['', '{', 'null', '[1,', luck.text(30), `{"a":${'['.repeat(3000)}`, '\ufeff{}'])
        : JSON.stringify(body);
    const headers: Record<string, string> = path === '/v1/order-tokens' ? bearer : {};
    if (!good && luck.is(0.1))
      headers['content-type'] = luck.pick([
        'text/plain',
        '',
        'application/jsonx',
        'application/json; charset=utf-16',
      ]);
    if (!good && luck.is(0.1))
      headers.origin = luck.pick(['https://evil.example', 'null', 'https://shop.example']);
    if (!good && luck.is(0.05))
      headers.authorization = luck.pick([
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

/** What an envelope honestly says of an order; null when it is not the documented one. */
type Said = { status: unknown; request_id?: unknown; currency?: unknown; order_amount?: unknown };

async function envelopes(
  count: number,
  luck: Chance,
): Promise<{ valid: number; crashes: string[]; invented: string[] }> {
  const crashes: string[] = [];
  const invented: string[] = [];
  let valid = 0;
  const config = parseConfig(
    {
      ...testConfig,
      service: { ...testConfig.service, timeout_ms: 20_000, queries_per_second: 1_000_000 },
    },
    (reference) => ('env' in reference ? SECRETS[reference.env] : undefined),
  );
  /** A success is earned by an envelope that says so, and echoes nothing else than was asked. */
  const earned = (said: Said, request_id: string): boolean =>
    (said.status === 20 || said.status === '20') &&
    // null is no echo, and a number is its digits
    (said.request_id ?? request_id) === request_id &&
    (said.currency ?? 'USD') === 'USD' &&
    isDecimal(String(said.order_amount ?? openIntent.amount)) &&
    compareDecimals(String(said.order_amount ?? openIntent.amount), openIntent.amount) === 0;
  const draw = (request_id: string): { status: number; text: string; said: Said | null } => {
    const data: Record<string, unknown> = {
      status: luck.pick([11, 11, 20, '20', 30, 77]),
      request_id,
      order_no: 'S1',
      currency: 'USD',
      order_amount: '12.50',
      [luck.pick(['qrcode_string', 'checkout_url', 'wallet_url'])]: luck.pick([
        'https://service.example/x',
        'javascript:1',
        'qr',
      ]),
    };
    const bent = luck.is(0.5) ? mutated(luck, data) : data;
    const envelope: unknown = luck.is(0.6)
      ? { code: luck.pick([200, '200']), message: 'ok', data: bent }
      : mutated(luck, { code: 200, message: 'ok', data: bent });
    const text = luck.is(0.05)
      ? luck.pick(['', '<html>', '{"code":200', luck.text(20)])
      : JSON.stringify(envelope);
    const read: unknown = (() => {
      try {
        return JSON.parse(text);
      } catch {
        return null;
      }
    })();
    const fields =
      typeof read === 'object' && read !== null ? (read as { code?: unknown; data?: unknown }) : {};
    const whole =
      String(fields.code) === '200' && typeof fields.data === 'object' && fields.data !== null;
    return {
      status: luck.pick([200, 200, 200, 400, 500, 302]),
      text,
      said: whole ? (fields.data as Said) : null,
    };
  };
  const BATCH = 10_000;
  for (let done = 0; done < count; done += BATCH) {
    const saidOf = new Map<string, Said[]>();
    let shift = 0;
    const relay = createRelay({
      config,
      ledger: memoryLedger(),
      clock: {
        now: () => Date.now() + shift,
        elapsed: () => performance.now() + shift,
        sleep: systemClock.sleep,
      },
      send: async (_path, json) => {
        const { request_id } = JSON.parse(json) as { request_id: string };
        if (!saidOf.has(request_id)) return { status: 200, text: '{"code":4040}' };
        const { said, status, text } = draw(request_id);
        if (said) saidOf.get(request_id)?.push(said);
        return { status, text };
      },
    });
    const ask = async (
      path: string,
      body: object,
    ): Promise<{ status: number; body: Record<string, unknown> }> => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      const response = await relay.fetch(new Request(`https://shop.example${path}`, init));
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    await each(Math.min(BATCH, count - done), 16, async () => {
      const attempt = crypto.randomUUID();
      saidOf.set(attempt, []);
      const pay = { ...openIntent, attempt, option: luck.pick(['qr', 'card', 'wallet', 'chain']) };
      let { body, status } = await ask('/v1/pay', pay);
      // many silences in a row open the breaker; a probe closes it
      for (let tries = 0; status === 503 && tries < 5; tries++) {
        shift += 1001;
        await relay.tick();
        ({ body, status } = await ask('/v1/pay', pay));
      }
      if (isCrash(status, body)) crashes.push(`${status} ${JSON.stringify(body).slice(0, 200)}`);
      const { order } = body as {
        order?: {
          outcome: string;
          next_action: { checkout_url?: string; wallet_url?: string } | null;
        };
      };
      const said = saidOf.get(attempt) ?? [];
      if (said.length > 0) valid++;
      const link = order?.next_action?.checkout_url ?? order?.next_action?.wallet_url;
      if (
        (order?.outcome === 'succeeded' && !said.some((each) => earned(each, attempt))) ||
        (link !== undefined && !link.startsWith('https://service.example/'))
      )
        invented.push(
          `${JSON.stringify(said).slice(0, 300)} → ${JSON.stringify(order).slice(0, 300)}`,
        );
    });
  }
  return { valid, crashes, invented };
}

export const fuzz: Proof = {
  sizes: { requests: 500_000, envelopes: 500_000, seed: 1 },
  small: { requests: 6000, envelopes: 6000, seed: 1 },
  run: (sizes) =>
    kept(async () => {
      const rejections = watchRejections();
      const asked = await requests(sizes.requests ?? 0, chance(sizes.seed ?? 1));
      const answered = await envelopes(sizes.envelopes ?? 0, chance((sizes.seed ?? 1) + 1));
      rejections.stop();
      const crashes = [...asked.crashes, ...answered.crashes];
      const enough =
        asked.valid >= 0.2 * (sizes.requests ?? 0) &&
        answered.valid >= 0.2 * (sizes.envelopes ?? 0);
      const example = crashes[0] ?? answered.invented[0];
      return {
        held:
          crashes.length === 0 &&
          answered.invented.length === 0 &&
          rejections.count() === 0 &&
          enough,
        figures: `requests taken ${percent(asked.valid, sizes.requests ?? 0)}, envelopes with documented data ${percent(answered.valid, sizes.envelopes ?? 0)}; crashes ${crashes.length}, successes or links made up ${answered.invented.length}, rejections left over ${rejections.count()}${example === undefined ? '' : `: ${example}`}`,
      };
    }),
};

/** Fuzzes the requests that the relay receives. */
import { memoryLedger } from '../../relay/ledger/memory-ledger.js';
import { bearer, createWorld, openIntent, testConfig, type World } from '../suite/support/world.js';
import { CASES_PER_WORLD, isCrash, mutated } from './fuzz-mutations.js';
import { each, type Random } from './proof.js';

/** Sends valid and broken requests of every route to the relay. */
export async function fuzzRequests(
  count: number,
  random: Random,
): Promise<{ valid: number; crashes: string[] }> {
  const crashes: string[] = [];
  let valid = 0;
  const paths = ['/v1/checkout', '/v1/pay', '/v1/query', '/v1/deposit-address', '/v1/order-tokens'];
  const validBody = (path: string): object =>
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
        customer_ref_id: `c${random.integer(50)}`,
      },
      '/v1/order-tokens': { ...openIntent, customer_ref_id: 'c' },
    })[path] ?? {};
  const sendOne = async (world: World): Promise<void> => {
    const path = random.chance(0.3) ? '/v1/pay' : random.pick(paths);
    const good = random.chance(0.4);
    const body = good ? validBody(path) : mutated(random, validBody(path));
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
    const headers: Record<string, string> = path === '/v1/order-tokens' ? { ...bearer } : {};
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
  for (let done = 0; done < count; done += CASES_PER_WORLD) {
    const world = createWorld({
      ledger: memoryLedger(),
      config: { service: { ...testConfig.service, timeout_ms: 20_000 } },
    });
    await each(Math.min(CASES_PER_WORLD, count - done), 16, () => sendOne(world));
    await world.relay.close();
  }
  return { valid, crashes };
}

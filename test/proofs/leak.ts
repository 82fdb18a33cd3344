/**
 * The service and the page send canaries and secrets in every field. None appears in an answer, a
 * log line or the ledger's files.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRelay } from '../../relay/app.js';
import { parseConfig } from '../../relay/config/parse-config.js';
import { openLedger } from '../../relay/node/open-ledger.js';
import { fetchSend } from '../../relay/order-service/send/fetch-send.js';
import { sleep } from '../suite/support/wait.js';
import { openIntent, postRequest, SECRETS, testConfig } from '../suite/support/world.js';
import { createRandom, counts, each, keepAlive, percentage, type Proof } from './proof.js';

/**
 * Longer than a currency code. The ledger keeps an echoed amount or currency that has the right
 * form, for the person who decides a review; a shorter canary would be kept too.
 */
const CANARY_LENGTH = 30;

export const leak: Proof = {
  sizes: { answers: 100_000, seed: 1 },
  small: { answers: 2000, seed: 1 },
  run: ({ answers = 0, seed = 1 }) =>
    keepAlive(async () => {
      const random = createRandom(seed);
      const canaries = Array.from({ length: 20 }, (_, index) =>
        `canary${index}q${Math.floor(random.next() * 1e9)}`.padEnd(CANARY_LENGTH, 'z'),
      );
      const credential = 'credential-of-the-leak-proof';
      const secrets: Record<string, string> = { ...SECRETS, KEY: credential };
      const [email = '', phone = '', name = '', ...serviceCanaries] = canaries;
      const digits = `+7${[...phone].map((char) => char.charCodeAt(0) % 10).join('')}`.slice(0, 16);
      const forbidden = [
        ...canaries,
        digits,
        credential,
        SECRETS.SECRET ?? '',
        SECRETS.TOKEN ?? '',
      ];
      const folder = mkdtempSync(join(tmpdir(), 'leak-'));
      const ledger = await openLedger(`sqlite:${join(folder, 'ledger.db')}`);
      const config = parseConfig(
        {
          ...testConfig,
          service: {
            ...testConfig.service,
            timeout_ms: 20_000,
            headers: { 'x-api-key': { env: 'KEY' } },
            queries_per_second: 1000,
          },
        },
        (reference) => ('env' in reference ? secrets[reference.env] : undefined),
      );
      const hits: string[] = [];
      const search = (where: string, text: string): void => {
        for (const word of forbidden)
          if (word && text.includes(word)) {
            const at = text.indexOf(word);
            hits.push(`${where}: ${text.slice(Math.max(0, at - 60), at + 60)}`);
          }
      };
      const canary = (): string => random.pick(serviceCanaries);
      let serviceAnswers = 0;
      const service = (
        request: Request,
        asked: { request_id?: string; currency?: string },
      ): Response => {
        serviceAnswers++;
        const headers = { 'x-note': canary(), 'set-cookie': `a=${canary()}` };
        const extra = {
          customer: { email, phone, name },
          email,
          note: canary(),
          partner_id: canary(),
          payment_method: canary(),
          credential,
        };
        const path = new URL(request.url).pathname;
        const deposit = {
          currency: asked.currency,
          address: 'sandbox-address',
          tag: '7',
          owner: email,
          ...extra,
        };
        const order = {
          request_id: asked.request_id,
          order_no: 'S1',
          currency: 'USD',
          order_amount: openIntent.amount,
          status: 11,
          checkout_url: 'https://service.example/x',
          ...extra,
        };
        const data = path.endsWith('deposit_address') ? deposit : order;
        switch (random.integer(10)) {
          case 0:
            return Response.json(
              {
                code: random.pick(['5001', canary()]),
                // the log shows the service's message, but nothing of the customer in it
                message: [`${email}@shop.example`, digits, email, name, credential].join(' '),
                data: extra,
              },
              { headers },
            );
          case 1:
            return new Response(`<html>${canary()} ${credential}</html>`, {
              status: random.pick([200, 500, 502]),
              headers,
            });
          case 2:
            return Response.json(
              { code: 200, message: canary(), data: { ...data, currency: canary() } },
              { headers },
            );
          case 3:
            return Response.json(
              {
                code: 200,
                message: canary(),
                data: { ...data, order_amount: canary(), status: canary() },
              },
              { headers },
            );
          case 4:
            return Response.json(
              { code: 200, message: canary(), data: { ...data, request_id: canary() } },
              { headers },
            );
          default:
            return Response.json(
              { code: '200', message: canary(), data, trace: extra },
              { headers },
            );
        }
      };
      const relay = createRelay({
        config,
        ledger,
        log: (level, event, fields) => search('log', JSON.stringify({ level, event, ...fields })),
        send: fetchSend({
          baseUrl: config.service.base_url,
          headers: { 'x-api-key': credential },
          fetch: async (url, init) =>
            service(
              new Request(url, init),
              JSON.parse(String(init.body)) as { request_id?: string },
            ),
        }),
      });
      // so many bad answers may open the breaker; the proof waits until its probe closes it
      const ticking = setInterval(() => void relay.tick(), 100);
      const breakerClosed = async (): Promise<void> => {
        while ((await relay.gauges()).breaker_open > 0) await sleep(50);
      };
      let good = 0;
      let asked = 0;
      const ask = async (
        path: string,
        body: object,
        mayEcho = false,
      ): Promise<Record<string, unknown>> => {
        asked++;
        const response = await relay.fetch(postRequest(path, body, { 'x-canary': canary() }));
        const text = await response.text();
        if (!mayEcho) search(path, text + JSON.stringify([...response.headers]));
        if (response.ok) good++;
        return JSON.parse(text) as Record<string, unknown>;
      };
      await each(Math.ceil(answers / 4), 8, async () => {
        await breakerClosed();
        const attempt = crypto.randomUUID();
        const customer = { email: `${email}@shop.example`, phone: digits, name };
        const pay = {
          ...openIntent,
          attempt,
          option: random.pick(['asks', 'card', 'qr']),
          customer,
        };
        const { order } = (await ask('/v1/pay', pay)) as {
          order?: { request_id: string; order_key: string };
        };
        if (order)
          await ask('/v1/query', { request_id: order.request_id, order_key: order.order_key });
        await ask('/v1/deposit-address', {
          currency: random.pick(['XRP', 'BTC']),
          customer_ref_id: `c${random.integer(answers)}`,
        });
        // a refusal names the field but not its value; the name of an unknown field is echoed to
        // the page that sent it, but not to the log
        const wrong = random.pick<object>([
          { customer: { email: `${email} at home` } },
          { option: canary() },
          { amount: canary() },
        ]);
        if (random.chance(0.5)) await ask('/v1/pay', { ...pay, ...wrong });
        else await ask('/v1/pay', { ...pay, [canary()]: 1 }, true);
      });
      clearInterval(ticking);
      await relay.close();
      await ledger.close();
      for (const file of readdirSync(folder))
        search(`file ${file}`, readFileSync(join(folder, file), 'latin1'));
      rmSync(folder, { recursive: true });
      return {
        held: hits.length === 0 && good >= 0.2 * asked && serviceAnswers > 0,
        sections: [
          {
            figures: [
              { name: 'answers', value: asked },
              percentage('of them good', good, asked),
              { name: 'answers of the service', value: serviceAnswers },
            ],
          },
          { figures: counts({ 'canaries and secrets': forbidden.length, hits: hits.length }) },
        ],
        example: hits[0],
      };
    }),
};

/**
 * Canaries wherever the service and the page can speak: none comes out in an answer, a log or the
 * ledger's file.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRelay } from '../../relay/app.js';
import { parseConfig } from '../../relay/config/parse-config.js';
import { openLedger } from '../../relay/node/open-ledger.js';
import { fetchSend } from '../../relay/order-service/send/fetch-send.js';
import { openIntent, SECRETS, testConfig } from '../support/world.js';
import { chance, counts, each, kept, percentage, sleep, type Proof } from './proof.js';

/**
 * Longer than a currency code: of an echo the ledger keeps what has the form of an amount or of a
 * code, since a person who looks at a review needs it.
 */
const CANARY_LENGTH = 30;

export const leak: Proof = {
  sizes: { answers: 100_000, seed: 1 },
  small: { answers: 2000, seed: 1 },
  run: ({ answers = 0, seed = 1 }) =>
    kept(async () => {
      const luck = chance(seed);
      const canaries = Array.from({ length: 20 }, (_, index) =>
        `canary${index}q${Math.floor(luck.next() * 1e9)}`.padEnd(CANARY_LENGTH, 'z'),
      );
      const credential = 'credential-of-the-leak-proof';
      const secrets: Record<string, string> = { ...SECRETS, KEY: credential };
      const [email = '', phone = '', name = '', ...others] = canaries;
      const digits = `+7${[...phone].map((char) => char.charCodeAt(0) % 10).join('')}`.slice(0, 16);
      const hunted = [...canaries, digits, credential, SECRETS.SECRET ?? '', SECRETS.TOKEN ?? ''];
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
      const hunt = (where: string, text: string): void => {
        for (const word of hunted)
          if (word && text.includes(word))
            hits.push(
              `${where}: ${text.slice(Math.max(0, text.indexOf(word) - 60), text.indexOf(word) + 60)}`,
            );
      };
      const planted = (): string => luck.pick(others);
      let spoken = 0;
      const service = (
        request: Request,
        asked: { request_id?: string; currency?: string },
      ): Response => {
        spoken++;
        const headers = { 'x-note': planted(), 'set-cookie': `a=${planted()}` };
        const extra = {
          customer: { email, phone, name },
          email,
          note: planted(),
          partner_id: planted(),
          payment_method: planted(),
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
        switch (luck.whole(10)) {
          case 0:
            return Response.json(
              {
                code: luck.pick(['5001', planted()]),
                message: `${email} ${planted()}`,
                data: extra,
              },
              { headers },
            );
          case 1:
            return new Response(`<html>${planted()} ${credential}</html>`, {
              status: luck.pick([200, 500, 502]),
              headers,
            });
          case 2:
            return Response.json(
              { code: 200, message: planted(), data: { ...data, currency: planted() } },
              { headers },
            );
          case 3:
            return Response.json(
              {
                code: 200,
                message: planted(),
                data: { ...data, order_amount: planted(), status: planted() },
              },
              { headers },
            );
          case 4:
            return Response.json(
              { code: 200, message: planted(), data: { ...data, request_id: planted() } },
              { headers },
            );
          default:
            return Response.json(
              { code: '200', message: planted(), data, trace: extra },
              { headers },
            );
        }
      };
      const relay = createRelay({
        config,
        ledger,
        log: (level, event, fields) => hunt('log', JSON.stringify({ level, event, ...fields })),
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
      // so many bad answers open the breaker at times: its probe closes it, and nothing is asked
      // meanwhile
      const ticking = setInterval(() => void relay.tick(), 100);
      const whileOpen = async (): Promise<void> => {
        while ((await relay.gauges()).breaker_open > 0) await sleep(50);
      };
      let good = 0;
      let asked = 0;
      const ask = async (
        path: string,
        body: object,
        echoed = false,
      ): Promise<Record<string, unknown>> => {
        asked++;
        const headers = { 'content-type': 'application/json', 'x-canary': planted() };
        const response = await relay.fetch(
          new Request(`https://shop.example${path}`, {
            method: 'POST',
            headers,
            body: JSON.stringify(body),
          }),
        );
        const text = await response.text();
        if (!echoed) hunt(path, text + JSON.stringify([...response.headers]));
        if (response.ok) good++;
        return JSON.parse(text) as Record<string, unknown>;
      };
      await each(Math.ceil(answers / 4), 8, async () => {
        await whileOpen();
        const attempt = crypto.randomUUID();
        const customer = { email: `${email}@shop.example`, phone: digits, name };
        const pay = { ...openIntent, attempt, option: luck.pick(['asks', 'card', 'qr']), customer };
        const { order } = (await ask('/v1/pay', pay)) as {
          order?: { request_id: string; order_key: string };
        };
        if (order)
          await ask('/v1/query', { request_id: order.request_id, order_key: order.order_key });
        await ask('/v1/deposit-address', {
          currency: luck.pick(['XRP', 'BTC']),
          customer_ref_id: `c${luck.whole(answers)}`,
        });
        // what is wrong with a value is told without the value; an unknown field's name goes back
        // to the page that sent it, not to the log
        const wrong = luck.pick<object>([
          { customer: { email: `${email} at home` } },
          { option: planted() },
          { amount: planted() },
        ]);
        if (luck.is(0.5)) await ask('/v1/pay', { ...pay, ...wrong });
        else await ask('/v1/pay', { ...pay, [planted()]: 1 }, true);
      });
      clearInterval(ticking);
      await relay.close();
      await ledger.close();
      for (const file of readdirSync(folder))
        hunt(`file ${file}`, readFileSync(join(folder, file), 'latin1'));
      rmSync(folder, { recursive: true });
      return {
        held: hits.length === 0 && good >= 0.2 * asked && spoken > 0,
        sections: [
          {
            figures: [
              { name: 'answers', value: asked },
              percentage('of them good', good, asked),
              { name: 'answers of the service', value: spoken },
            ],
          },
          { figures: counts({ 'canaries and secrets': hunted.length, hits: hits.length }) },
        ],
        example: hits[0],
      };
    }),
};

/** Sends a page's requests to a contender, many of them concurrently. */
import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { each } from '../../proofs/proof.js';
import { SECRETS, testConfig } from '../../suite/support/world.js';

export const CONCURRENT_REQUESTS = 16;

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An order token, signed as a shop's backend signs it. */
export function orderToken(jti: string): string {
  const iat = Math.floor(Date.now() / 1000);
  const head = encode({ alg: 'HS256', typ: 'pay-order+jwt', kid: 'k1' });
  const payload = encode({
    jti,
    aud: testConfig.public_url,
    iat,
    exp: iat + 3600,
    amount: '12.50',
    currency: 'USD',
    product_name: 'A tree',
    customer_ref_id: 'c1',
  });
  const mac = createHmac('sha256', SECRETS.TOKEN ?? '').update(`${head}.${payload}`);
  return `${head}.${payload}.${mac.digest('base64url')}`;
}

export type Load = {
  /** @throws Error when the status of the answer is not 200 */
  post(path: string, body: object): Promise<unknown>;
  /** Sends each body once. */
  postAll(path: string, bodies: readonly object[]): Promise<unknown[]>;
  /** Sends a webhook to the path of this URL. */
  notify(notifyUrl: string): Promise<void>;
  close(): Promise<void>;
};

export function createLoad(url: string, connections = CONCURRENT_REQUESTS): Load {
  const pool = new Pool(url, { connections });
  const headers = { 'content-type': 'application/json' };
  const post = async (path: string, body: object): Promise<unknown> => {
    const sent = JSON.stringify(body);
    const answer = await pool.request({ path, method: 'POST', headers, body: sent });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text);
  };
  return {
    post,
    postAll: async (path, bodies) => {
      const answers: unknown[] = [];
      await each(bodies.length, CONCURRENT_REQUESTS, async (index) => {
        answers[index] = await post(path, bodies[index] ?? {});
      });
      return answers;
    },
    notify: async (notifyUrl) => {
      // no proxy runs here, so the path of `public_url` is cut off as a proxy would do
      const { pathname } = new URL(notifyUrl);
      const path = pathname.slice(pathname.indexOf('/v1/'));
      await (await pool.request({ path, method: 'POST' })).body.dump();
    },
    close: () => pool.close(),
  };
}

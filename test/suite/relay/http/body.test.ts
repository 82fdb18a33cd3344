/** A body is read as it was sent, or refused by name. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { Failure } from '../../../../relay/contract/failure.js';
import { readBody } from '../../../../relay/http/body.js';

const schema = z.object({ product_name: z.string() });

const request = (body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Request =>
  new Request('https://shop.example/pay/v1/order-tokens', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
const refusal = (sent: Request): Promise<string> =>
  readBody(sent, schema).then(
    ({ product_name }) => `read ${product_name}`,
    (error: unknown) => (error instanceof Failure ? `${error.code}: ${error.message}` : 'error'),
  );
const json = (name: string): string => JSON.stringify({ product_name: name });
const latin1 = Uint8Array.from(Buffer.from(json('Käse'), 'latin1'));
const utf8 = new TextEncoder().encode(json('Käse'));

describe('a body', () => {
  for (const [how, headers] of [
    ['with a length', (bytes: Uint8Array) => ({ 'content-length': String(bytes.length) })],
    ['in pieces', () => ({})],
  ] as const) {
    it(`is refused by name when it is not UTF-8, ${how}`, async () => {
      const expected = 'invalid_request: the body is not UTF-8';
      assert.equal(await refusal(request(latin1, headers(latin1))), expected);
      const type = { 'content-type': 'application/json; charset=iso-8859-1' };
      assert.equal(await refusal(request(latin1, { ...headers(latin1), ...type })), expected);
    });

    it(`is refused with a sentence of its own when it is compressed, ${how}`, async () => {
      const gzip = Uint8Array.from(gzipSync(utf8));
      const sent = request(gzip, { ...headers(gzip), 'content-encoding': 'gzip' });
      const expected = 'invalid_request: the body is compressed; send it without content-encoding';
      assert.equal(await refusal(sent), expected);
    });

    it(`is read in UTF-8, also behind a mark of its encoding, ${how}`, async () => {
      assert.equal(await refusal(request(utf8, headers(utf8))), 'read Käse');
      const marked = Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8);
      assert.equal(await refusal(request(marked, headers(marked))), 'read Käse');
      const identity = { ...headers(utf8), 'content-encoding': 'identity' };
      assert.equal(await refusal(request(utf8, identity)), 'read Käse');
    });

    it(`is refused when it is too long, ${how}`, async () => {
      const long = new TextEncoder().encode(json('é'.repeat(9000)));
      assert.match(await refusal(request(long, headers(long))), /^body_too_large/);
    });
  }
});

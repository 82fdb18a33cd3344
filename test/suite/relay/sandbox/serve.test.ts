/** The sandbox as a server answers requests of every form. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { serveSandbox } from '../../../../relay/sandbox/serve.js';

describe('the sandbox as a server', () => {
  let served: Awaited<ReturnType<typeof serveSandbox>>;
  before(async () => {
    served = await serveSandbox({ port: 0, host: '127.0.0.1' });
  });
  after(() => served.close());

  for (const [method, path, code] of [
    ['POST', '/v1/order/query', '4040'],
    ['POST', '/control/reset'],
    ['DELETE', '/control/faults'],
    ['DELETE', '/control/calls'],
  ] as const)
    for (const body of [undefined, '{"request_id":"r1"}'])
      it(`${method} ${path} is answered without a length, with ${body ?? 'no body'}`, async () => {
        const answer = await fetch(`${served.url}${path}`, {
          method,
          headers: { 'content-type': 'application/json' },
          // a stream has no content-length
          ...(body !== undefined && { body: new Blob([body]).stream(), duplex: 'half' as const }),
        });
        assert.equal(answer.status, 200);
        if (code && body) assert.equal(((await answer.json()) as { code: unknown }).code, code);
      });
});

/** Which port a relay without a web server before it must listen on. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { directPort, otherPort } from '../../../../relay/config/direct-port.js';

for (const [publicUrl, port] of [
  ['http://localhost:8788', 8788],
  ['http://127.0.0.1', 80],
  ['http://localhost:8788/pay', null],
  ['https://localhost:8788', null],
  ['http://shop.example:8788', null],
  ['no url', null],
] as const)
  it(`reads the port ${port} from ${publicUrl}`, () => assert.equal(directPort(publicUrl), port));

it('names the port when the relay has another one, and only then', () => {
  assert.match(otherPort('http://localhost:8788', 8787).join(), /start with --port 8788,/);
  for (const [publicUrl, port] of [
    ['http://localhost:8788', 8788],
    ['http://localhost:8788', 0],
    ['https://shop.example/pay', 8787],
  ] as const)
    assert.deepEqual(otherPort(publicUrl, port), [], publicUrl);
});

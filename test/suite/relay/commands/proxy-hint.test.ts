/** `check` names a proxy that is set: other programs on the machine reach the service by it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { whyUnreachable } from '../../../../relay/commands/check-findings.js';
import { freePort } from '../../support/free-port.js';

describe('whyUnreachable', () => {
  for (const name of ['HTTPS_PROXY', 'http_proxy', 'ALL_PROXY'])
    it(`names ${name} when it is set and the service cannot be reached`, async () => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const cause = 'the connection is refused (ECONNREFUSED)';
      assert.equal(await whyUnreachable(url, {}), cause);
      assert.equal(
        await whyUnreachable(url, { [name]: 'http://proxy.example:3128' }),
        `${cause}; ${name} is set, but the relay connects directly: allow this connection`,
      );
    });
});

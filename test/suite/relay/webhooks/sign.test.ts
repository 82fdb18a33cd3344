/** The headers of a signed message. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { signMessage } from '../../../../relay/webhooks/sign.js';

const message = { id: 'evt_1', at: 1_800_000_000, body: '{"a":"ä"}' };
const mac = (key: string | Buffer): string =>
  `v1,${createHmac('sha256', key).update('evt_1.1800000000.{"a":"ä"}').digest('base64')}`;

describe('signMessage', () => {
  it('signs id, time and body when the secret is text', async () =>
    assert.deepEqual(await signMessage('a-secret', message), {
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1800000000',
      'webhook-signature': mac('a-secret'),
    }));

  it('signs once for each secret, and decodes a secret that begins with whsec_', async () => {
    const bytes = Buffer.from([0, 255, 1, 2, 250]);
    const secrets = [`whsec_${bytes.toString('base64')}`, 'the-old-one'];
    const signed = await signMessage(secrets, message);
    assert.equal(signed['webhook-signature'], `${mac(bytes)} ${mac('the-old-one')}`);
  });
});

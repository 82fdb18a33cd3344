/** The storefront's page of the guide to Medusa; a stand-in answers what it asks Medusa. */
import { expect } from '@open-wc/testing';
import { signOrderToken } from '../../../../widget/shop/index.js';
import { createWorld, SECRETS, testConfig } from '../../support/world.js';
import { clear, stage } from '../pay-checkout/stage.js';

const pageFetch = globalThis.fetch;
const DAY_S = 86_400;
const PROVIDER = 'pp_pay-checkout_pay-checkout';

/** A payment session as Medusa keeps it, with the token that was signed when it was created. */
async function sessionOf(jti: string, ageS: number) {
  const iat = Math.floor(Date.now() / 1000) - ageS;
  const claims = {
    aud: testConfig.public_url,
    jti,
    amount: '12.50',
    currency: 'USD',
    product_name: 'A lamp',
    customer_ref_id: jti,
    iat,
    exp: iat + DAY_S,
  };
  const order_token = await signOrderToken(claims, { kid: 'k1', secret: SECRETS.TOKEN ?? '' });
  return { provider_id: PROVIDER, status: 'pending', data: { order_token } };
}

/** Runs the page's script; Medusa has the session, and creates another one when it is asked. */
async function openStorefront(found: object, created: object): Promise<string[]> {
  const page = await (
    await pageFetch('/test/proofs/frameworks/medusa/storefront/index.html')
  ).text();
  const [, script = ''] = /<script type="module">([^]*?)<\/script>/.exec(page) ?? [];
  const asked: string[] = [];
  globalThis.fetch = async (url, { method } = {}) => {
    const path = String(url).replace(/^%MEDUSA%\/store\/|\?.*$/g, '');
    asked.push(`${method} ${path}`);
    const collection = { id: 'paycol_1', payment_sessions: [method === 'POST' ? created : found] };
    return Response.json({
      cart: { payment_collection: collection },
      payment_collection: collection,
    });
  };
  await import(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
  return asked;
}

const CREATED = 'POST payment-collections/paycol_1/payment-sessions';

describe('the storefront of the guide to Medusa', () => {
  afterEach(() => {
    globalThis.fetch = pageFetch;
    clear();
  });

  it('creates a new payment session when the token of the old one has expired', async () => {
    const { element, phase } = stage(createWorld(), {});
    const created = await sessionOf('payses_today', 0);
    const asked = await openStorefront(await sessionOf('payses_yesterday', 2 * DAY_S), created);
    await phase('choosing');
    expect(element.getAttribute('order-token')).to.equal(created.data.order_token);
    expect(asked.filter((each) => each === CREATED)).to.have.length(1);
  });

  it('keeps the payment session when its token is invalid, as a new one would be', async () => {
    const { events, phase } = stage(createWorld(), {});
    const session = await sessionOf('payses_invalid', 0);
    session.data.order_token += 'x';
    const asked = await openStorefront(session, session);
    await phase('problem');
    expect(events).to.include('pay-token-needed');
    expect(asked).not.to.include(CREATED);
  });
});

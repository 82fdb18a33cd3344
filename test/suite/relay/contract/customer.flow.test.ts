/** What a customer may type as contact data, and what the relay forwards of it. */
import { expect } from '@open-wc/testing';
import { readContact } from '../../../../relay/contract/customer.js';
import { createWorld, openIntent } from '../../support/world.js';

const PHONES: readonly [typed: string, forwarded: string][] = [
  ['030/1234567', '0301234567'],
  ['+1.415.555.2671', '+14155552671'],
  [' +79001234567', '+79001234567'],
  ['+7\u00a0900\u202f123\u00a045\u00a067', '+79001234567'],
  ['+49 30\u20131234\u20145\u22126', '+4930123456'],
  ['\u202a+1 (415) 555\u20112671\u202c', '+14155552671'],
  ['+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', '+966501234567'],
  ['०९८७६५४३२१', '0987654321'],
  ['＋８１９０１２３４５６７８', '+819012345678'],
  ['+44 (0)20 7946 0958', '+442079460958'],
  ['(+44) (0)20 7946 0958', '+442079460958'],
  ['0044 (0)20 7946 0958', '00442079460958'],
  ['+1 (800) 555 (0) 199', '+18005550199'],
  ['tel:+1-415-555-2671', '+14155552671'],
  [' tel:+1-415-555-2671', '+14155552671'],
];

const EMAILS: readonly [typed: string, forwarded: string][] = [
  ['ivan@почта.рф', 'ivan@xn--80a1acny.xn--p1ai'],
  ['ivan@xn--80a1acny.xn--p1ai', 'ivan@xn--80a1acny.xn--p1ai'],
  ['a&b@example.com', 'a&b@example.com'],
  [' Ana@Example.com\u200b', 'Ana@example.com'],
  ['mailto:ana@example.com', 'ana@example.com'],
  ['mailto: ana@example.com', 'ana@example.com'],
  ['ana＠example.com', 'ana@example.com'],
  ['ana@example.com.', 'ana@example.com'],
];

const NAMES: readonly [typed: string, forwarded: string][] = [
  ['  Maria\u00a0 Silva\n', 'Maria Silva'],
  ['\u202aMaria\u202c', 'Maria'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['Ma\u3164ria', 'Maria'],
  ['Ma\u2800ria', 'Maria'],
  // a Japanese name with a variant of its first letter
  ['葛\u{e0100}城', '葛\u{e0100}城'],
  ['n'.repeat(120), 'n'.repeat(120)],
];

const WRONG = {
  phone: ['', 'abc', '1234', '+1 415 555 2671 ext. 5', '1'.repeat(21), '+', '12+34567'],
  email: [
    ...['', 'ana', 'ana@', '@example.com', 'user@localhost', 'a b@c@example.com', 'a@b.c/d.com'],
    ...['ana@-a.com', 'ana@a-.com', `ana@${'a'.repeat(64)}.com`],
  ],
  name: ['', ' \u200b', 'n'.repeat(201)],
} as const;

describe('contact data', () => {
  for (const [field, cases] of Object.entries({ phone: PHONES, email: EMAILS, name: NAMES }))
    for (const [typed, forwarded] of cases)
      it(`reads the ${field} ${JSON.stringify(typed)} as ${JSON.stringify(forwarded)}`, () =>
        expect(readContact(field as 'phone', typed)).to.equal(forwarded));

  for (const [field, values] of Object.entries(WRONG))
    for (const typed of values)
      it(`refuses ${JSON.stringify(typed)} as ${field}`, () =>
        expect(readContact(field as 'phone', typed)).to.equal(null));

  it('forwards a phone number without its separators when a customer typed some', async () => {
    const world = createWorld();
    const customer = { phone: '030/123 45\u00a067' };
    const body = { ...openIntent, attempt: crypto.randomUUID(), option: 'asks', customer };
    expect((await world.ask('/v1/pay', body)).status).to.equal(200);
    expect(world.pays()[0]?.customer).to.equal('{"phone":"0301234567"}');
  });

  it('says how to write a phone number when it cannot be read', async () => {
    const body = { ...openIntent, attempt: crypto.randomUUID(), option: 'asks' };
    const answer = await createWorld().ask('/v1/pay', { ...body, customer: { phone: 'abc' } });
    expect(answer.status).to.equal(400);
    expect(answer.body.error).to.include({
      code: 'invalid_request',
      field: 'customer.phone',
      message: 'customer.phone: write it like +1 415 555 2671',
    });
  });
});

/** White space around an attribute's value, as a template writes it, changes nothing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  hasSubject,
  readSubject,
  SUBJECT_PROPERTIES,
  type Attributes,
} from '../../../../widget/checkout/read-subject.js';

const attributes = (set: Partial<Attributes>): Attributes =>
  Object.assign({} as Attributes, ...SUBJECT_PROPERTIES.map((name) => ({ [name]: null })), set);

const SUBJECTS: Partial<Attributes>[] = [
  { orderToken: 'a.b.c', returnUrl: 'https://shop.example/thanks' },
  { sku: 'tee', quantity: '2', customerRefId: 'c-42' },
  {
    amount: '5',
    currency: 'USD',
    payCurrency: 'USDT',
    productName: 'A tree',
    remark: 'an oak',
    customerRefId: 'c-42',
    returnUrl: 'https://shop.example/thanks',
  },
  { deposit: 'BTC', depositToken: 'a.b.c' },
];

describe('readSubject', () => {
  for (const [index, set] of SUBJECTS.entries())
    it(`trims each attribute of subject ${index + 1}`, () => {
      const spaced = Object.fromEntries(
        Object.entries(set).map(([name, value]) => [name, `\n  ${value ?? ''} \u00A0\n`]),
      );
      const read = readSubject(attributes(set));
      assert.ok(read && 'subject' in read);
      assert.deepEqual(readSubject(attributes(spaced)), read);
      assert.ok(hasSubject(attributes(spaced)));
    });

  it('takes an attribute of white space alone as not set', () => {
    assert.equal(readSubject(attributes({ orderToken: ' \n' })), null);
    assert.ok(!hasSubject(attributes({ orderToken: ' \n' })));
  });
});

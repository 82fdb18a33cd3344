/** A payment URI only where a wallet cannot misread it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paymentUri } from '../../../relay/deposits/payment-uri.js';

type Asset = Parameters<typeof paymentUri>[0];
const asset = (change: Partial<Asset>): Asset => ({ currency: 'X', verify: false, ...change });
const XRP = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const XLM = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const BTC = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const ETH = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

const cases: [string, Partial<Asset>, string, string, string | null][] = [
  ['a destination tag', { uri_family: 'ripple' }, XRP, '1234567890', `ripple:${XRP}?dt=1234567890`],
  ['tag 0 is a tag', { uri_family: 'ripple' }, XRP, '0', `ripple:${XRP}?dt=0`],
  ['no tag', { uri_family: 'ripple' }, XRP, '', `ripple:${XRP}`],
  ['a tag above 32 bits', { uri_family: 'ripple' }, XRP, '4294967296', null],
  ['a tag that is no number', { uri_family: 'ripple' }, XRP, 'abc', null],
  ['a tag with a leading zero', { uri_family: 'ripple' }, XRP, '007', null],
  ['a corrupt address', { uri_family: 'ripple' }, `${XRP.slice(0, -1)}i`, '1', null],
  ['BIP 321', { uri_family: 'bitcoin' }, BTC, '', `bitcoin:${BTC}`],
  ['a tag where the family has none', { uri_family: 'bitcoin' }, BTC, '5', null],
  ['ERC-681 with its chain', { uri_family: 'ethereum', chain_id: 1 }, ETH, '', `ethereum:${ETH}@1`],
  ['ERC-681 without a configured chain', { uri_family: 'ethereum' }, ETH, '', null],
  [
    'SEP-7 with a memo',
    { uri_family: 'stellar', memo_type: 'MEMO_TEXT' },
    XLM,
    'skdjfasf',
    `web+stellar:pay?destination=${XLM}&memo=skdjfasf&memo_type=MEMO_TEXT`,
  ],
  [
    'SEP-7 memo with a space',
    { uri_family: 'stellar', memo_type: 'MEMO_TEXT' },
    XLM,
    'a b',
    `web+stellar:pay?destination=${XLM}&memo=a%20b&memo_type=MEMO_TEXT`,
  ],
  ['SEP-7 memo of no configured type', { uri_family: 'stellar' }, XLM, '77', null],
  ['SEP-7 id above 64 bits', { uri_family: 'stellar', memo_type: 'MEMO_ID' }, XLM, '18446744073709551616', null],
  ['SEP-7 text above 28 bytes', { uri_family: 'stellar', memo_type: 'MEMO_TEXT' }, XLM, 'é'.repeat(15), null],
  ['a token’s chain without a URI', { uri_family: 'tron' }, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', '', null],
  ['no family', {}, BTC, '', null],
  ['another family’s address', { uri_family: 'bitcoin' }, XRP, '', null],
];

describe('payment URIs', () => {
  for (const [what, config, address, tag, expected] of cases)
    it(what, () => assert.equal(paymentUri(asset(config), { address, tag }), expected));
});

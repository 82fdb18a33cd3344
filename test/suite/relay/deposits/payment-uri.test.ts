/** The relay makes a payment URI only when no wallet can misread it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StringDecoder, StringType, StringTypeDetector } from 'xumm-string-decode';
import { paymentUri } from '../../../../relay/deposits/payment-uri.js';

type Asset = Parameters<typeof paymentUri>[0];
const COINS: Partial<Record<NonNullable<Asset['uri_family']>, string>> = {
  bitcoin: 'BTC',
  ethereum: 'ETH',
  ripple: 'XRP',
  stellar: 'XLM',
};
const asset = (change: Partial<Asset>): Asset => ({
  currency: COINS[change.uri_family ?? 'bitcoin'] ?? 'X',
  verify: false,
  ...change,
});
const XRP_ADDRESS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const XLM_ADDRESS = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const BTC_ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const ETH_ADDRESS = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
// the addresses of the specifications' own examples
const BIP_321_EXAMPLE = '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W';
const ERC_681_EXAMPLE = '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359';
const SEP_7_EXAMPLE = 'GCALNQQBXAPZ2WIRSDDBMSTAKCUH5SG6U76YBFLQLIXJTF7FE5AX7AOO';

const cases: [string, Partial<Asset>, string, string, string | null][] = [
  [
    'a destination tag',
    { uri_family: 'ripple' },
    XRP_ADDRESS,
    '1234567890',
    `ripple:${XRP_ADDRESS}?dt=1234567890`,
  ],
  [
    'the tag 0, which differs from no tag',
    { uri_family: 'ripple' },
    XRP_ADDRESS,
    '0',
    `ripple:${XRP_ADDRESS}?dt=0`,
  ],
  ['no tag', { uri_family: 'ripple' }, XRP_ADDRESS, '', `ripple:${XRP_ADDRESS}`],
  ['a tag above 32 bits', { uri_family: 'ripple' }, XRP_ADDRESS, '4294967296', null],
  ['a tag that is no number', { uri_family: 'ripple' }, XRP_ADDRESS, 'abc', null],
  ['a tag with a leading zero', { uri_family: 'ripple' }, XRP_ADDRESS, '007', null],
  ['a corrupt address', { uri_family: 'ripple' }, `${XRP_ADDRESS.slice(0, -1)}i`, '1', null],
  [
    'BIP 321’s example, whose checksum is wrong on purpose',
    { uri_family: 'bitcoin' },
    BIP_321_EXAMPLE,
    '',
    null,
  ],
  [
    'BIP 321, the form of “just the address”',
    { uri_family: 'bitcoin' },
    BTC_ADDRESS,
    '',
    `bitcoin:${BTC_ADDRESS}`,
  ],
  ['a tag in a family without tags', { uri_family: 'bitcoin' }, BTC_ADDRESS, '5', null],
  [
    'the address of ERC-681’s example',
    { uri_family: 'ethereum', chain_id: 1 },
    ERC_681_EXAMPLE,
    '',
    `ethereum:${ERC_681_EXAMPLE}@1`,
  ],
  [
    'ERC-681 with its chain',
    { uri_family: 'ethereum', chain_id: 1 },
    ETH_ADDRESS,
    '',
    `ethereum:${ETH_ADDRESS}@1`,
  ],
  ['ERC-681 without a configured chain', { uri_family: 'ethereum' }, ETH_ADDRESS, '', null],
  [
    'SEP-7’s example where the wallet asks for the amount',
    { uri_family: 'stellar', memo_type: 'MEMO_TEXT' },
    SEP_7_EXAMPLE,
    'skdjfasf',
    `web+stellar:pay?destination=${SEP_7_EXAMPLE}&memo=skdjfasf&memo_type=MEMO_TEXT`,
  ],
  [
    'SEP-7 with a memo',
    { uri_family: 'stellar', memo_type: 'MEMO_TEXT' },
    XLM_ADDRESS,
    'skdjfasf',
    `web+stellar:pay?destination=${XLM_ADDRESS}&memo=skdjfasf&memo_type=MEMO_TEXT`,
  ],
  [
    'SEP-7 memo with a space',
    { uri_family: 'stellar', memo_type: 'MEMO_TEXT' },
    XLM_ADDRESS,
    'a b',
    `web+stellar:pay?destination=${XLM_ADDRESS}&memo=a%20b&memo_type=MEMO_TEXT`,
  ],
  [
    'a SEP-7 memo without a configured memo_type',
    { uri_family: 'stellar' },
    XLM_ADDRESS,
    '77',
    null,
  ],
  [
    'SEP-7 id above 64 bits',
    { uri_family: 'stellar', memo_type: 'MEMO_ID' },
    XLM_ADDRESS,
    '18446744073709551616',
    null,
  ],
  [
    'SEP-7 text above 28 bytes',
    { uri_family: 'stellar', memo_type: 'MEMO_TEXT' },
    XLM_ADDRESS,
    'é'.repeat(15),
    null,
  ],
  [
    'a family that has no payment URI',
    { uri_family: 'tron' },
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    '',
    null,
  ],
  ['no family', {}, BTC_ADDRESS, '', null],
  [
    'the coin of a network in the name of an asset',
    { uri_family: 'ethereum', chain_id: 42161, currency: 'ETH_ARBITRUM' },
    ETH_ADDRESS,
    '',
    `ethereum:${ETH_ADDRESS}@42161`,
  ],
  ...(
    [
      ['a token', 'USDT_ERC20', 1],
      ['a token behind its network', 'ETH_USDT', 1],
      ['a word that may name a token', 'ETH_XYZ', 1],
      ['a token without its network', 'USDT', 1],
      ['the coin of another network', 'BNB', 1],
      ['a coin as a token of another network', 'ETH_BEP20', 56],
      ['a coin on another network than its name says', 'ETH_ARBITRUM', 1],
      ['the coin of a network that is not known', 'XYZ', 9999],
      ['the coin of a test network', 'ETH', 11155111],
    ] as const
  ).map(([what, currency, chain_id]): (typeof cases)[number] => [
    what,
    { uri_family: 'ethereum', chain_id, currency },
    ETH_ADDRESS,
    '',
    null,
  ]),
  ['a token of Stellar', { uri_family: 'stellar', currency: 'USDC' }, XLM_ADDRESS, '', null],
  [
    'a token with the name of a coin',
    { uri_family: 'bitcoin', currency: 'BTC_BEP20' },
    BTC_ADDRESS,
    '',
    null,
  ],
  ['another family’s address', { uri_family: 'bitcoin' }, XRP_ADDRESS, '', null],
];

describe('payment URIs', () => {
  for (const [what, config, address, tag, expected] of cases)
    it(`${expected ? 'makes a' : 'makes no'} URI: ${what}`, () =>
      assert.equal(paymentUri(asset(config), { address, tag }), expected));
});

describe('payment URIs in a wallet’s public decoder', () => {
  // the addresses and tags of the decoder's own fixtures, and the bounds of a tag
  for (const [address, tag] of [
    ['rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY', '123'],
    ['rPdvC6ccq8hCdPKSPJkPmyZ4Mi1oG2FFkT', '1234'],
    ['rw2ciyaNshpHe7bCHo4bRWq6pqqynnWKQg', '987'],
    ['rCoinaUERUrXb1aA7dJu8qRcmvPNiKS3d', '966670382'],
    ['rwietsevLFg8XSmG3bEZzFein1g8RBqWDZ', '4294967295'],
    ['r9JynAPy1xUEW2bAYK36fy5dKKNNNKK1Z5', '0'],
    ['rPdvC6ccq8hCdPKSPJkPmyZ4Mi1oG2FFkT', ''],
  ] as const) {
    const what = `${address} with ${tag === '' ? 'no tag' : `the tag ${tag}`}`;
    it(`makes a URI from which the decoder reads ${what}`, () => {
      const uri = paymentUri(asset({ uri_family: 'ripple' }), { address, tag });
      assert.ok(uri);
      const detected = new StringTypeDetector(uri);
      assert.equal(detected.getType(), StringType.XrplDestination);
      const { tag: read, to } = new StringDecoder(detected).getXrplDestination();
      assert.deepEqual([to, read], [address, tag === '' ? undefined : Number(tag)]);
    });
  }
});

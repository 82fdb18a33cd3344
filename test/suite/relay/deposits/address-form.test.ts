/** Checks the form of published addresses, and of the specifications' invalid examples. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AddressFamily } from '../../../../relay/config/deposit-assets.js';
import { addressForm } from '../../../../relay/deposits/address-form.js';

const sound: Record<AddressFamily, string[]> = {
  // addresses of the genesis block, of BIP 16, and the valid ones of BIP 173 and BIP 350
  bitcoin: [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3P14159f73E4gFr7JterCCQh9QjiTjiZrG',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    'BC1SW50QGDZ25J',
    'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ],
  litecoin: ['LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1'],
  dogecoin: ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L'],
  // EIP-55's examples, and an address without a checksum
  ethereum: [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  ],
  solana: ['So11111111111111111111111111111111111111112'],
  // the ledger's special addresses
  ripple: [
    'rrrrrrrrrrrrrrrrrrrrBZbvji',
    'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B',
  ],
  // SEP-23's example
  stellar: ['GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'],
  tron: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
};

const corrupt: [AddressFamily, string][] = [
  ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb'],
  ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
  // BIP 350: bech32 where bech32m belongs; BIP 173: a program of a wrong length
  ['bitcoin', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
  ['bitcoin', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P'],
  ['litecoin', 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc2'],
  ['dogecoin', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7M'],
  ['ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
  ['solana', 'mvines9iihiqtysrwkjjgf2gb9ex9jxjx8ns3qwf2kn'],
  ['ripple', 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59C'],
  ['stellar', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGA'],
  ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u'],
  // keys of zeros: what is sent there is burnt
  ['bitcoin', '1111111111111111111114oLvT2'],
  ['ethereum', '0x0000000000000000000000000000000000000000'],
  ['ripple', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'],
  ['solana', '11111111111111111111111111111111'],
  ['stellar', 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF'],
  ['tron', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
  // other networks, and more than an address
  ['bitcoin', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
  ['bitcoin', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
  ['bitcoin', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'],
  ['bitcoin', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
  ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=5'],
  ['bitcoin', 'sandbox'],
  ['bitcoin', ''],
  ['dogecoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['ethereum', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['solana', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['ripple', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'],
  ['tron', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
];

describe('the form of an address', () => {
  for (const [family, addresses] of Object.entries(sound) as [AddressFamily, string[]][])
    for (const address of addresses)
      it(`reports the ${family} address ${address} as sound`, () =>
        assert.equal(addressForm(family, address), 'sound'));
  for (const [family, address] of corrupt)
    it(`reports the ${family} address ${address} as corrupt`, () =>
      assert.equal(addressForm(family, address), 'corrupt'));
  it('detects one changed character in every family that has a checksum', () => {
    for (const family of ['bitcoin', 'litecoin', 'dogecoin', 'ripple', 'stellar', 'tron'] as const)
      for (const address of sound[family])
        for (let at = 1; at < address.length; at++) {
          const other = address[at] === 'Q' ? 'R' : 'Q';
          const changed = address.slice(0, at) + other + address.slice(at + 1);
          assert.notEqual(addressForm(family, changed), 'sound', changed);
        }
  });
  for (const [family, address] of [
    ['ripple', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ'],
    ['stellar', 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ'],
    ['litecoin', `ltcmweb1qq${'0'.repeat(100)}`],
  ] as const)
    it(`reports the form of the ${family} address ${address} as unknown, unchecked`, () =>
      assert.equal(addressForm(family, address), 'unknown'));
});

// the examples of EIP-1191
describe('an address of a chain that EIP-1191 names', () => {
  const mainnet = '0x27b1FdB04752BBc536007A920D24ACB045561c26';
  const testnet = '0x27B1FdB04752BbC536007a920D24acB045561C26';
  const anyChain = '0x27b1fdb04752bbc536007a920d24acb045561c26';

  it('is sound in the letters of its own chain, of EIP-55, and in lower case', () => {
    assert.equal(addressForm('ethereum', mainnet, 30), 'sound');
    assert.equal(addressForm('ethereum', testnet, 31), 'sound');
    for (const chain of [1, 30, 31, undefined]) {
      assert.equal(addressForm('ethereum', anyChain, chain), 'sound');
      assert.equal(addressForm('ethereum', sound.ethereum[0] ?? '', chain), 'sound');
    }
  });

  it('is corrupt in the letters of another chain', () => {
    for (const chain of [1, 31, undefined])
      assert.equal(addressForm('ethereum', mainnet, chain), 'corrupt');
    assert.equal(addressForm('ethereum', testnet, 30), 'corrupt');
  });
});

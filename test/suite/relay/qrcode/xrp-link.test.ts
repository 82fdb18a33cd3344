/** Links of XRP: wallets look for address, tag and amount under many names. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkCode,
  noCodeRules,
  type Charge,
  type CodeRules,
} from '../../../../relay/qrcode/check-code.js';

const xrp: Charge = { amount: '5', currency: 'XRP', payCurrency: 'XRP' };
const verdict = (code: string, of: Charge, rules = noCodeRules): string =>
  checkCode(code, of, rules).verdict;
const paying = (account: string): CodeRules => ({
  check: 'when_known',
  payees: [`account:${account}`],
});

const address = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
const link = `ripple:${address}?amount=5`;

describe('a link of XRP', () => {
  it('knows the names by which wallets read a tag, an address and an amount', () => {
    const one = paying(`${address}/42`);
    assert.equal(verdict(`${link}&dt=42`, xrp, paying(`${address} / 42`)), 'right');
    for (const name of ['dt', 'tag', 'dtag', 'destinationtag']) {
      assert.equal(verdict(`${link}&${name}=42`, xrp, one), 'right', name);
      assert.equal(verdict(`${link}&${name}=666`, xrp, one), 'another_payee', name);
      if (name !== 'dt')
        assert.equal(verdict(`${link}&dt=42&${name}=666`, xrp, one), 'wrong', name);
    }
    const eve = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
    for (const capitals of [`${link}&DT=42`, `${link.replace('amount', 'Amount')}&dt=42`])
      assert.equal(verdict(capitals, xrp, one), 'wrong', capitals);
    for (const other of [
      ...[eve, `to=${eve}`, `label=x&https://${eve}`, `label=x?to=${eve}`],
      ...['tag=', 'amt=500', 'cur=USD', 'iou=USD', 'network=TESTNET'],
    ])
      assert.equal(verdict(`${link}&dt=42&${other}`, xrp, one), 'wrong', other);
  });

  it('is wrong when a wallet finds something else before the address, or no tag', () => {
    const own = paying(address);
    const X_ADDRESS = 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ';
    const template = Buffer.from(
      '{"TransactionType":"Payment","Destination":"rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY"}',
    ).toString('hex');
    for (const honest of [
      ...['label=Bean%20%26%20Leaf', 'label=5%24', 'label=Order%20US$5', 'label=US$5.00'],
      ...['dt=0', 'dt=4294967295'],
    ])
      assert.equal(verdict(`${link}&${honest}`, xrp, own), 'right', honest);
    for (const other of [
      ...[
        `l=${X_ADDRESS}`,
        'label=bean$pay.example',
        'label=bean$203.0.113.5',
        'label=bean%24pay.example',
      ],
      ...['dt=', 'dt=abc', 'dt=05', 'dt=+5', 'dt=-1', 'dt=5.0', 'dt=0x5', 'dt=99999999999'],
    ])
      assert.equal(verdict(`${link}&${other}`, xrp, own), 'wrong', other);
    for (const hex of [template, template.toUpperCase()])
      assert.equal(verdict(link.replace('?', `?${hex}&`), xrp, own), 'wrong');
    const inAddress = `ripple:${X_ADDRESS}?amount=5`;
    assert.equal(verdict(inAddress, xrp), 'right');
    assert.equal(verdict(`${inAddress}&dt=5`, xrp), 'wrong');
  });
});

/** Reads Ethereum's payment link (EIP-681), for its own coin and for tokens. */
import { shiftedAmount, type Content, type Reading } from './content.js';
import { coinOfNetwork } from './paid-asset.js';
import { readCoinLink } from './payment-uri.js';

const TARGET =
  /^(?:pay-)?(0x[0-9a-f]{40}|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:@([1-9]\d{0,19}))?(?:\/(\w*))?$/i;
/** Networks without money: the test networks of the listed ones. */
const WITHOUT_MONEY: readonly string[] = [
  ...['3', '4', '5', '42', '17000', '560048', '11155111', '11155420', '84532', '421614', '59141'],
  ...['534351', '300', '97', '43113', '80001', '80002', '4002'],
  ...['10200', '44787'],
];
/** Fields of a call, and those of other forms, by which some wallets choose amount and token. */
const OF_OTHER_FORMS =
  /^(amount|token|(req-)?asset|contractaddress|data|address|u?int\d*|bytes\d*)$/;
const OTHER_AMOUNTS = ['value', 'amount', 'contractaddress'];
const WEI_PLACES = 18;

export function readEthereumUri(text: string): Reading {
  if (!/^ethereum:/i.test(text)) return null;
  const uri = readCoinLink(text, {
    own: ['value', 'address'],
    inLowerCase: ['value', 'address', 'uint256'],
  });
  const [, address, chain = '1', call = ''] =
    (uri === 'broken' ? null : TARGET.exec(uri.target)) ?? [];
  if (uri === 'broken' || address === undefined) return 'broken';
  if (WITHOUT_MONEY.includes(chain)) return 'broken';
  const value = uri.fields.get('value');
  const none = { payee: null, amount: null, isTyped: false, currency: null, network: chain };
  // any other call than a transfer, such as `approve`, gives away more than the order's amount
  const contract = `${address.toLowerCase()}@${chain}`;
  if (call !== '')
    return call === 'transfer' ? tokenTransfer(uri.fields, contract, none) : 'broken';
  if ([...uri.fields.keys()].some((name) => OF_OTHER_FORMS.test(name))) return 'broken';
  const plain = { ...none, accounts: [address], currency: coinOfNetwork(chain) ?? null };
  if (value === undefined) return { ...plain, isTyped: true };
  const wei = wholeNumber(value);
  const amount = wei === null ? null : shiftedAmount(wei, WEI_PLACES);
  return amount === null ? 'broken' : { ...plain, amount };
}

/** A token counts in units whose size the link does not say. */
function tokenTransfer(
  fields: ReadonlyMap<string, string>,
  contract: string,
  none: Omit<Content, 'accounts'>,
): Reading {
  const account = fields.get('address');
  if (account === undefined || OTHER_AMOUNTS.some((name) => fields.has(name))) return 'broken';
  const value = fields.get('uint256');
  const units = value === undefined ? null : wholeNumber(value);
  if (value !== undefined && units === null) return 'broken';
  return { ...none, accounts: [account], isTyped: units === null, token: { contract, units } };
}

/** The form allows a fraction and an exponent: 2.5e18, .5e18. */
function wholeNumber(text: string): string | null {
  const [, whole, fraction = '', exponent = '0'] =
    /^(?=\.?\d)(\d{0,40})(?:\.(\d{1,40}))?(?:e(\d{1,2}))?$/i.exec(text) ?? [];
  const places = Number(exponent);
  if (whole === undefined || fraction.length > places) return null;
  return whole + fraction.padEnd(places, '0');
}

/** Reads Ethereum's payment link (EIP-681), for its own coin and for tokens. */
import { shiftedAmount, type Content, type Reading } from './content.js';
import { readPaymentUri } from './payment-uri.js';

const TARGET =
  /^(?:pay-)?(0x[0-9a-f]{40}|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:@(\d{1,20}))?(?:\/(\w*))?$/i;
/** Networks whose own coin is ETH: Ethereum, Optimism, Base, Arbitrum. */
const CHAINS_OF_ETH: readonly (string | undefined)[] = [undefined, '1', '10', '8453', '42161'];
const WEI_PLACES = 18;

export function readEthereumUri(text: string): Reading {
  if (!/^ethereum:/i.test(text)) return null;
  const uri = readPaymentUri(text);
  const [, address, chain, call = ''] = (uri === 'broken' ? null : TARGET.exec(uri.target)) ?? [];
  if (uri === 'broken' || address === undefined) return 'broken';
  const value = uri.fields.get('value');
  const none = { payee: null, amount: null, isTyped: false, currency: null };
  // any other call than a transfer, such as `approve`, gives away more than the order's amount
  if (call !== '') return call === 'transfer' ? tokenTransfer(uri.fields, none) : 'broken';
  const currency = CHAINS_OF_ETH.includes(chain) ? 'ETH' : null;
  const plain = { ...none, accounts: [address], currency };
  if (value === undefined) return { ...plain, isTyped: true };
  const wei = wholeNumber(value);
  const amount = wei === null ? null : shiftedAmount(wei, WEI_PLACES);
  return amount === null ? 'broken' : { ...plain, amount };
}

/** A token counts in units whose size the link does not say. */
function tokenTransfer(
  fields: ReadonlyMap<string, string>,
  none: Omit<Content, 'accounts'>,
): Reading {
  const account = fields.get('address');
  if (account === undefined || fields.has('value')) return 'broken';
  return { ...none, accounts: [account], isTyped: !fields.has('uint256') };
}

/** The form allows a fraction and an exponent: 2.5e18. */
function wholeNumber(text: string): string | null {
  const [, whole, fraction = '', exponent = '0'] =
    /^(\d{1,40})(?:\.(\d{1,40}))?(?:e(\d{1,2}))?$/i.exec(text) ?? [];
  const places = Number(exponent);
  if (whole === undefined || fraction.length > places) return null;
  return whole + fraction.padEnd(places, '0');
}

/** The marks of known payment systems and coins, which the relay serves (`widget/marks/`). */
import { assetOf } from '../qrcode/paid-asset.js';

/** By the first word of a channel, or by the asset that the customer pays in. */
const MARKS: ReadonlySet<string> = new Set([
  ...['pix', 'alipay', 'wechat', 'paypal', 'phonepe', 'paytm', 'grab', 'klarna'],
  ...['visa', 'mastercard', 'applepay', 'googlepay'],
  ...['btc', 'eth', 'usdt', 'usdc', 'ltc', 'doge', 'xrp', 'sol', 'xlm', 'ton', 'trx', 'bnb'],
  ...['bch', 'ada', 'dot', 'pol'],
]);

/** Other names that services write for a channel with a mark. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['alipayplus', 'alipay'],
  ['grabpay', 'grab'],
  ['wechatpay', 'wechat'],
  ['weixin', 'wechat'],
  ['apple', 'applepay'],
  ['google', 'googlepay'],
  ['gpay', 'googlepay'],
]);

const firstWord = (text: string): string => text.toLowerCase().split(/[^a-z]/)[0] ?? '';

type Payment = {
  payment_channel?: string | undefined;
  payment_method: string;
  pay_currency?: string | undefined;
};

/** @returns the path of the mark below the relay's URL; null when none fits */
export function markOf({
  pay_currency = '',
  payment_channel = '',
  payment_method,
}: Payment): string | null {
  const word = firstWord(payment_method === 'on_chain' ? assetOf(pay_currency) : payment_channel);
  const name = ALIASES.get(word) ?? word;
  return MARKS.has(name) ? `marks/${name}.svg` : null;
}

/** The marks of known payment systems and coins, which the relay serves (`widget/marks/`). */
import { assetOf } from '../qrcode/paid-asset.js';

/** By the first word of a channel, or by its first two. */
const CHANNELS: ReadonlySet<string> = new Set([
  ...['pix', 'alipay', 'wechat', 'paypal', 'phonepe', 'paytm', 'grab', 'klarna'],
  ...['visa', 'mastercard', 'applepay', 'googlepay'],
]);

/** By the asset that the customer pays in. */
const ASSETS: ReadonlySet<string> = new Set([
  ...['btc', 'eth', 'usdt', 'usdc', 'ltc', 'doge', 'xrp', 'sol', 'xlm', 'ton', 'trx', 'bnb'],
  ...['bch', 'ada', 'dot', 'pol'],
]);

/** Other names that services write for a channel with a mark. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['alipayplus', 'alipay'],
  ['grabpay', 'grab'],
  ['wechatpay', 'wechat'],
  ['weixin', 'wechat'],
  ['gpay', 'googlepay'],
]);

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
  const [first = '', ...further] = payment_channel.toLowerCase().split(/[^a-z]/);
  const isCoin = payment_method === 'on_chain';
  // a channel for two brands has the mark of none
  const isShared = further.some((word) => CHANNELS.has(ALIASES.get(word) ?? word));
  const words = isShared ? [] : [first + (further[0] ?? ''), first];
  const name = (isCoin ? [assetOf(pay_currency).toLowerCase()] : words)
    .map((word) => ALIASES.get(word) ?? word)
    .find((word) => (isCoin ? ASSETS : CHANNELS).has(word));
  return name === undefined ? null : `marks/${name}.svg`;
}

/** The kind of link that each channel answers; the document does not show it. */
import { z } from 'zod';
import { merchantPresentedCode } from './merchant-presented-code.js';

/**
 * `emvco`: a `qrcode_string` in the form of banks. `sbp_link`: one in the form of SBP.
 * `qrcode_link`: one that opens the wallet.
 */
const linkKinds = [
  'qrcode_string',
  'qrcode_link',
  'emvco',
  'sbp_link',
  'checkout_url',
  'wallet_url',
  'none',
] as const;
export type LinkKind = (typeof linkKinds)[number];

export const linksBody = z.record(z.string(), z.enum(linkKinds));

/** Channels whose codes have the form of banks in real life. */
const EMVCO_CHANNELS = ['pix', 'qris', 'promptpay', 'vietqr', 'paynow', 'khqr'];

/**
 * The keys are `direct/payment_type/payment_channel`, and `method/pay_currency` for on_line and
 * on_chain. A direct key may end with a currency. A `*` in the last place applies when no exact key
 * exists.
 */
export const defaultLinks: Record<string, LinkKind> = {
  'direct/qrcode/bank_page': 'checkout_url',
  ...Object.fromEntries(
    EMVCO_CHANNELS.map((channel) => [`direct/qrcode/${channel}`, 'emvco'] as const),
  ),
  'direct/qrcode/sbp_qr/RUB': 'sbp_link',
  'direct/qrcode/*': 'qrcode_string',
  'direct/virtual_account/*': 'checkout_url',
  'direct/wallet/sbp': 'wallet_url',
  'direct/wallet/*': 'checkout_url',
  'on_line/*': 'checkout_url',
  'on_chain/BTC': 'none',
  'on_chain/*': 'checkout_url',
};

type Fields = Readonly<Record<string, string>>;

export function linkKind(table: Record<string, LinkKind>, fields: Fields): LinkKind {
  const {
    payment_method = '',
    payment_type = '',
    payment_channel = '',
    currency = '',
    pay_currency = payment_method === 'direct' ? currency : '',
  } = fields;
  const path = payment_method === 'direct' ? `direct/${payment_type}` : payment_method;
  const key = `${path}/${payment_method === 'direct' ? payment_channel : pay_currency}`;
  return table[`${key}/${pay_currency}`] ?? table[key] ?? table[`${path}/*`] ?? 'none';
}

/** What the link of an order is made of. */
type Order = { fields: Fields; orderNo: string; merchantName: string };

/** The answer's link field. Links to pages start with the sandbox's public URL. */
export function linkFor(
  kind: LinkKind,
  { fields, merchantName, orderNo }: Order,
  publicUrl: string,
): Record<string, string> {
  const { payment_type } = fields;
  switch (kind) {
    case 'none':
      return {};
    case 'qrcode_string':
      return { qrcode_string: `https://qr.sandbox.example/${orderNo}` };
    case 'sbp_link':
      return { qrcode_string: sbpLink(fields, orderNo) };
    case 'qrcode_link':
      return { qrcode_string: `${publicUrl}/wallet/${orderNo}` };
    case 'emvco':
      return { qrcode_string: merchantPresentedCode(fields, orderNo, merchantName) };
    case 'wallet_url':
      return { wallet_url: `${publicUrl}/wallet/${orderNo}` };
    case 'checkout_url': {
      const page = payment_type === 'virtual_account' ? 'account' : 'checkout';
      return { checkout_url: `${publicUrl}/${page}/${orderNo}` };
    }
  }
}

/** The number of a bank that nobody has. */
const NO_BANK = '100000000000';

/**
 * A link of SBP for one payment, with the sum in kopecks. It has no sum when the customer pays in
 * roubles what another currency costs, because the sandbox has no exchange rates.
 */
function sbpLink({ amount = '', currency = '' }: Fields, orderNo: string): string {
  const id = `AD${orderNo
    .replace(/[^0-9A-Z]/gi, '')
    .toUpperCase()
    .padStart(30, '0')
    .slice(-30)}`;
  const [, roubles = '', kopecks = ''] = /^(\d+)(?:\.(\d{1,2})0*)?$/.exec(amount) ?? [];
  const sum = (roubles + kopecks.padEnd(2, '0')).replace(/^0+/, '');
  const hasSum = currency === 'RUB' && roubles !== '';
  const charge = hasSum ? `&sum=${sum}&cur=RUB` : '';
  // the algorithm of the checksum is not published
  return `https://qr.nspk.ru/${id}?type=02&bank=${NO_BANK}${charge}&crc=0000`;
}

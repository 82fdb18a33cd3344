/** The kind of link that each channel answers; the document does not show it. */
import { merchantPresentedCode } from './merchant-presented-code.js';

/** `emvco`: a `qrcode_string` in the form of banks. `qrcode_link`: one that opens the wallet. */
export type LinkKind =
  'qrcode_string' | 'qrcode_link' | 'emvco' | 'checkout_url' | 'wallet_url' | 'none';

/** Channels whose codes have the form of banks in real life. */
const EMVCO_CHANNELS = ['pix', 'qris', 'promptpay', 'vietqr', 'paynow', 'khqr'];

/**
 * The keys are `direct/payment_type/payment_channel`, and `method/pay_currency` for on_line and
 * on_chain. A `*` in the last place applies when no exact key exists.
 */
export const defaultLinks: Record<string, LinkKind> = {
  'direct/qrcode/bank_page': 'checkout_url',
  ...Object.fromEntries(
    EMVCO_CHANNELS.map((channel) => [`direct/qrcode/${channel}`, 'emvco'] as const),
  ),
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
    pay_currency = '',
  } = fields;
  const path = payment_method === 'direct' ? `direct/${payment_type}` : payment_method;
  return (
    table[`${path}/${payment_method === 'direct' ? payment_channel : pay_currency}`] ??
    table[`${path}/*`] ??
    'none'
  );
}

/** What the link of an order is made of. */
type Order = { fields: Fields; orderNo: string; merchantName: string };

/** The answer's link field. Links to pages start with the sandbox's public URL. */
export function linkFor(
  kind: LinkKind,
  { fields, merchantName, orderNo }: Order,
  publicUrl: string,
): Record<string, string> {
  const { amount = '', currency = '', payment_type } = fields;
  switch (kind) {
    case 'none':
      return {};
    case 'qrcode_string':
      return {
        qrcode_string:
          `https://qr.sandbox.example/${orderNo}` + `?type=02&sum=${amount}&cur=${currency}`,
      };
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

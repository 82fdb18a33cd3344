/** Plain words for an order’s way to pay and its status. */
import type { SandboxOrder, Statuses } from '../orders.js';

const TYPES: Readonly<Record<string, string>> = {
  qrcode: 'QR code',
  wallet: 'Wallet',
  virtual_account: 'Bank transfer',
};

/** Names of channels; any other channel is shown by its own text. */
const CHANNELS: Readonly<Record<string, string>> = {
  sbp: 'SBP',
  sbp_qr: 'SBP',
  sber_bank: 'SberPay',
  bank_page: 'Bank’s page',
  pix: 'Pix',
  qris: 'QRIS',
  promptpay: 'PromptPay',
  vietqr: 'VietQR',
  paynow: 'PayNow',
  khqr: 'KHQR',
};

const named = (names: Readonly<Record<string, string>>, value: string): string =>
  (Object.hasOwn(names, value) ? names[value] : undefined) ?? value.replaceAll('_', ' ');

/** The way to pay, such as "SBP, QR code"; a channel with the name of its type is not repeated. */
export function methodWords({ fields }: Pick<SandboxOrder, 'fields'>): string {
  const { pay_currency, payment_channel = '', payment_method, payment_type = '' } = fields;
  if (payment_method === 'on_line') return 'Payment page';
  if (payment_method === 'on_chain')
    return pay_currency === undefined ? 'Crypto' : `Crypto, ${pay_currency}`;
  const [channel, type] = [named(CHANNELS, payment_channel), named(TYPES, payment_type)];
  return channel.toLowerCase() === type.toLowerCase() ? type : `${channel}, ${type}`;
}

const STATES: Readonly<Record<keyof Statuses, string>> = {
  created: 'Not paid yet',
  paid: 'Paid',
  declined: 'Declined',
  expired: 'Expired',
};

export function stateWords({ status }: Pick<SandboxOrder, 'status'>, statuses: Statuses): string {
  for (const [state, words] of Object.entries(STATES))
    if (statuses[state as keyof Statuses] === status) return words;
  return `Status ${status}`;
}

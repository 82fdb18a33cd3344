/** The relay's configuration in the demo, with every way to pay that the sandbox offers. */
import type { ConfigFile } from '../relay/config/schema.js';

type Urls = { serviceUrl: string; publicUrl: string; origins: string[]; ledger: string };

/** Invented banks. Their pages are those of the sandbox, and nobody has their apps. */
const wallets = (shop: string): NonNullable<ConfigFile['options']>[number]['wallets'] => [
  {
    name: 'Birch Bank',
    icon_url: `${shop}/icons/birch-bank.svg`,
    scheme: 'birchbank',
    https: shop,
  },
  {
    name: 'Polar Credit',
    icon_url: `${shop}/icons/polar-credit.svg`,
    scheme: 'polarcredit',
    android_package: 'example.polarcredit',
    https: shop,
  },
  { name: 'Tidewater', icon_url: `${shop}/icons/tidewater.svg`, https: shop },
  { name: 'Acorn Direct', https: shop },
];

export const demoConfig = ({ serviceUrl, publicUrl, origins, ledger }: Urls): ConfigFile => ({
  mode: 'test',
  service: {
    base_url: serviceUrl,
    not_found_codes: ['4040'],
    timeout_ms: 8000,
    resend_after_s: 5,
  },
  shop: {
    name: 'Bean & Leaf',
    origins,
    return_hosts: origins.map((origin) => new URL(origin).host),
    support_url: `${origins[0] ?? ''}/index.html`,
    logo_url: `${origins[0] ?? ''}/logo.svg`,
  },
  public_url: publicUrl,
  ledger,
  options: [
    {
      id: 'sbp_qr',
      label: { en: 'SBP by QR code', ru: 'СБП по QR-коду' },
      payment_method: 'direct',
      payment_type: 'qrcode',
      payment_channel: 'sbp_qr',
      currencies: ['RUB', 'USD'],
      icon_url: `${origins[0] ?? ''}/icons/sbp.svg`,
      expires_after_s: 900,
      wallets: wallets(origins[0] ?? ''),
    },
    {
      id: 'sbp_wallet',
      label: 'SBP in your banking app',
      payment_method: 'direct',
      payment_type: 'wallet',
      payment_channel: 'sbp',
      currencies: ['RUB'],
      icon_url: `${origins[0] ?? ''}/icons/sbp.svg`,
    },
    {
      id: 'sber_pay',
      label: 'SberPay',
      payment_method: 'direct',
      payment_type: 'wallet',
      payment_channel: 'sber_bank',
      currencies: ['RUB'],
      icon_url: `${origins[0] ?? ''}/icons/sber-pay.svg`,
    },
    {
      id: 'bank_qr',
      label: 'QR code on the bank’s page',
      payment_method: 'direct',
      payment_type: 'qrcode',
      payment_channel: 'bank_page',
      currencies: ['RUB'],
    },
    {
      id: 'bank_transfer',
      label: 'Bank transfer',
      payment_method: 'direct',
      payment_type: 'virtual_account',
      payment_channel: 'bank_transfer',
    },
    {
      id: 'khqr',
      label: 'KHQR',
      payment_method: 'direct',
      payment_type: 'qrcode',
      payment_channel: 'khqr',
      currencies: ['USD'],
      icon_url: `${origins[0] ?? ''}/icons/khqr.svg`,
      expires_after_s: 900,
      phone_action: 'save',
    },
    { id: 'card', label: 'Card', payment_method: 'on_line' },
    { id: 'usdt', label: 'USDT', payment_method: 'on_chain', pay_currency: 'USDT' },
  ],
  deposits: [
    {
      currency: 'XRP',
      label: 'XRP',
      network: 'XRP Ledger',
      tag_label: 'Destination tag',
      uri_family: 'ripple',
      minimum: '1',
    },
    {
      currency: 'BTC',
      label: 'Bitcoin',
      network: 'Bitcoin',
      uri_family: 'bitcoin',
      minimum: '0.0001',
    },
    { currency: 'USDT', label: 'Tether', network: 'Ethereum (ERC-20)', minimum: '10' },
  ],
  statuses: { '11': 'pending', '20': 'succeeded', '30': 'failed', '40': 'expired' },
  links: {
    hosts: ['localhost', '127.0.0.1'],
    schemes: ['birchbank', 'polarcredit'],
  },
  catalogue: {
    tee: { amount: '19.90', currency: 'USD', product_name: 'Bean & Leaf T-shirt', max_quantity: 5 },
  },
  open_amount: { USD: { min: '1', max: '500' }, RUB: { min: '10', max: '50000' } },
  open_deposits: true,
  order_token_keys: [{ kid: 'k1', alg: 'HS256', secret: { env: 'ORDER_TOKEN_KEY' } }],
  secret_key: { env: 'RELAY_SECRET_KEY' },
  operator: { port: 0, key: { env: 'OPERATOR_KEY' } },
});

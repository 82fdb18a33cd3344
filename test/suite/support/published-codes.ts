/** Codes and links that others published, in test data or specifications, with what they charge. */
import type { Charge } from '../../../relay/qrcode/check-code.js';

type PublishedCode = {
  readonly source: string;
  readonly code: string;
  readonly charge: Charge;
  readonly payee: string | null;
};

const charging = (amount: string, currency: string): Charge => ({
  amount,
  currency,
  payCurrency: currency,
});

export const sbpLink: PublishedCode = {
  source: 'Raiffeisen-DGTL/ecom-API, sbp.yml',
  code:
    'https://qr.nspk.ru/AD100004BAL7227F9BNP6KNE007J9B3K' +
    '?type=02&bank=100000000007&sum=1&cur=RUB&crc=AB75',
  charge: charging('0.01', 'RUB'),
  payee: null,
};
/** A link for many payments, which has no sum. */
export const STATIC_SBP_LINK =
  'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G?type=01&bank=100000000007&crc=0C8A';

/** A code of DuitNow for donations, without an amount, which its mosque publishes. */
export const STATIC_DUITNOW_CODE =
  '00020201021126420014A000000615000101066033460210MD001295465204939953034585802MY' +
  '5913MASJID NEGARA6002MY627303251704936237869008996045430052017072988178750084448071617049359' +
  '619050076304FD9C';

export const invoice: PublishedCode = {
  source: 'BOLT 11, examples',
  code:
    'lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfq' +
    'qqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu9qrsgquk0rl77nj30yxdy8j9vdx8' +
    '5fkpmdla2087ne0xh8nhedh8w27kyke0lp53ut353s06fv3qfegext0eh0ymjpf39tuven09sam30g4vgpfna3rh',
  charge: charging('0.0025', 'BTC'),
  payee: null,
};

export const solanaUri: PublishedCode = {
  source: 'Solana Pay, specification',
  code:
    'solana:mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN' +
    '?amount=1&label=Michael&message=Thanks%20for%20all%20the%20fish&memo=OrderId12345',
  charge: charging('1', 'SOL'),
  payee: 'Michael',
};

export const stellarUri: PublishedCode = {
  source: 'SEP-7',
  code:
    'web+stellar:pay?destination=GCALNQQBXAPZ2WIRSDDBMSTAKCUH5SG6U76YBFLQLIXJTF7FE5AX7AOO' +
    '&amount=120.1234567&memo=skdjfasf&msg=pay%20me%20with%20lumens',
  charge: charging('120.1234567', 'XLM'),
  payee: null,
};

export const publishedCodes: readonly PublishedCode[] = [
  sbpLink,
  {
    source: 'QRIS, README of sunary/qris',
    code:
      '00020101021226380016ID.CO.SHOPEE.WWW010201020815863724530336054061440005802ID' +
      '5921PT. SHOPPEE INDONESIA6007JAKARTA62180814gen by go-qris63049635',
    charge: charging('144000', 'IDR'),
    payee: 'PT. SHOPPEE INDONESIA',
  },
  {
    source: 'VietQR, README of subiz/vietqr',
    code:
      '00020101021238570010A00000072701270006970415011300110019324180208QRIBFTTA5303704' +
      '54061200005802VN62170813ung ho lu lut6304C15C',
    charge: charging('120000', 'VND'),
    payee: null,
  },
  {
    source: 'PromptPay, test of dtinth/promptpay-qr',
    code: '00020101021229370016A000000677010111011300660000000005802TH5303764' + '54044.226304E469',
    charge: charging('4.22', 'THB'),
    payee: null,
  },
  {
    source: 'PayNow, test data of a sandbox of RadiumOne',
    code:
      '00020101021226560009SG.PAYNOW010120213201509555BNN1030100412230914205029520400005303702' +
      '540450.05802SG5914DEV MERCHANT 56009SINGAPORE621601120870-0000VL663049149',
    charge: charging('50', 'SGD'),
    payee: 'DEV MERCHANT 5',
  },
  {
    source: 'FPS, test of odoo/odoo',
    code:
      '00020101021226330012hk.com.hkicl0313+852-6789123452040000530334454031005802HK' +
      '5914company_1_data6002HK62170513INV/TEST/00016304A154',
    charge: charging('100', 'HKD'),
    payee: 'company_1_data',
  },
  {
    source: 'UPI linking specification 1.6',
    code:
      'upi://pay?pa=nadeem@npci&pn=nadeem%20chinna&mc=0000&tid=cxnkjcnkjdfdvjndkjfvn' +
      '&tr=4894398cndhcd23&tn=Pay%20to%20mystar%20store&am=10&cu=INR',
    charge: charging('10.00', 'INR'),
    payee: 'nadeem chinna',
  },
  {
    source: 'EPC069-12, example',
    code: [
      ...['BCD', '002', '1', 'SCT', 'BPOTBEB1', 'Red Cross of Belgium', 'BE72000000001616', 'EUR1'],
      ...['CHAR', '', 'Urgency fund', 'Sample EPC QR code'],
    ].join('\n'),
    charge: charging('1.00', 'EUR'),
    payee: 'Red Cross of Belgium',
  },
  {
    source: 'BIP 21, examples',
    code: 'bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?amount=20.3&label=Luke-Jr',
    charge: charging('20.3', 'BTC'),
    payee: 'Luke-Jr',
  },
  invoice,
  {
    source: 'ERC-681, examples',
    code: 'ethereum:0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359?value=2.014e18',
    charge: charging('2.014', 'ETH'),
    payee: null,
  },
  solanaUri,
  stellarUri,
];

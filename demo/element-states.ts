/** Every state of the element, for the accessibility tests, the screenshots and the playground. */
import { failureStatuses } from '../relay/contract/failure.js';
import type { NextAction, Order } from '../relay/contract/order.js';
import type {
  CheckoutResponse,
  DepositAddress,
  PaymentOption,
} from '../relay/contract/responses.js';
import type { Phase } from '../widget/checkout/flow.js';
import { digest } from '../widget/browser/digest.js';
import type { ProblemCode } from '../widget/problem.js';
import type { PayCheckout } from '../widget/pay-checkout.js';

type Answer = { status: number; body: unknown } | 'none' | 'cut';

export type ShownState = {
  readonly phase: Phase;
  /** Added to the attributes of a purchase of 48.50 EUR. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** An order for the same purchase was placed in this browser before. */
  readonly visited?: boolean;
  /** The relay's first answer; `none` never arrives, and `cut` is a network failure. */
  readonly answer: (now: number) => Answer;
  /** The answer to a query; without it none ever arrives. */
  readonly queried?: (now: number) => Answer;
  /** The customer's action that leads to the state. */
  readonly act?: (element: PayCheckout) => void;
};

const option = (id: string, label: string, more: Partial<PaymentOption> = {}): PaymentOption => ({
  id,
  label,
  payment_method: 'direct',
  ...more,
});
const OPTIONS = [
  option('sbp', 'SBP', { payment_type: 'qrcode', payment_channel: 'sbp_qr' }),
  option('bank', 'Bank transfer', { payment_type: 'virtual_account' }),
  option('wallet', 'Wallet', { payment_type: 'wallet' }),
  option('card', 'Card', { payment_method: 'on_line', customer: ['email', 'phone', 'name'] }),
  option('crypto', 'Crypto', { payment_method: 'on_chain' }),
];
const MANY = Array.from({ length: 12 }, (_, index) =>
  option(`bank${index}`, `Bank ${index + 1}`, { payment_type: 'virtual_account' }),
);

const shown: CheckoutResponse['checkout'] = {
  amount: '48.50',
  currency: 'EUR',
  product_name: 'Huila, washed, 1 kg',
  remark: 'Order 2041',
  options: OPTIONS,
  livemode: true,
  shop_name: 'Bean & Leaf',
  support_url: 'https://shop.example/help',
  link_schemes: ['sberpay'],
};

const QR =
  '00020101021226580014ru.nspk.sbp0136a1b2c3d4-e5f6-7890-abcd-ef1234567890520400005303978540548.50';
const instant = (at: number): string => new Date(at).toISOString();

const order = (now: number, changes: Partial<Order>): Order => ({
  intent_id: '7d0a2c1e-5b7f-4c7e-9d55-2f8f0a6c3b11',
  request_id: '7d0a2c1e-5b7f-4c7e-9d55-2f8f0a6c3b11',
  order_no: 'P20261121000042',
  order_key: 'c1.key',
  option: 'sbp',
  amount: '48.50',
  currency: 'EUR',
  status: 11,
  outcome: 'pending',
  next_action: { kind: 'scan_qr', qrcode_string: QR },
  open_amount: false,
  late: false,
  other_payable: false,
  created_at: instant(now - 60_000),
  checked_at: instant(now - 5000),
  server_time: instant(now),
  ...changes,
});

const checkout = (
  changes: Partial<CheckoutResponse['checkout']> = {},
  ordered?: Order,
): Answer => ({
  status: 200,
  body: { contract: 1, checkout: { ...shown, ...changes }, ...(ordered ? { order: ordered } : {}) },
});
const withOrder = (
  phase: Phase,
  changes: Partial<Order>,
  more: Omit<Partial<ShownState>, 'phase' | 'answer'> = {},
): ShownState => ({
  phase,
  answer: (now) => checkout({}, order(now, changes)),
  ...more,
});
const next = (next_action: NextAction): ShownState =>
  withOrder('awaiting_payment', { next_action });

const XRP: DepositAddress = {
  currency: 'XRP',
  address: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
  tag: '0',
  network: 'XRP Ledger',
  tag_label: 'Destination tag',
  minimum: '1',
  uri: 'ripple:rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe?dt=0',
};
const deposit = (
  changes: Partial<DepositAddress>,
  attributes: Record<string, string> = {},
  act?: (element: PayCheckout) => void,
): ShownState => ({
  phase: 'showing_deposit_address',
  attributes: { deposit: 'XRP', 'customer-ref-id': 'customer-1', ...attributes },
  answer: () => ({ status: 200, body: { deposit_address: { ...XRP, ...changes } } }),
  ...(act ? { act } : {}),
});

function problemAnswer(code: ProblemCode): Answer {
  if (code === 'relay_unreachable') return 'cut';
  if (code === 'contract_mismatch') return { status: 200, body: { contract: 2, checkout: shown } };
  return {
    status: code in failureStatuses ? failureStatuses[code as keyof typeof failureStatuses] : 500,
    body: { error: { code, message: 'for the developer', reference: '4f1c2a90' } },
  };
}

const problem = (code: ProblemCode): ShownState => ({
  phase: 'problem',
  ...(code === 'attributes_wrong' ? { attributes: { sku: 'tee' } } : {}),
  answer: () => problemAnswer(code),
});

const click =
  (...selectors: string[]) =>
  (element: PayCheckout): void => {
    for (const selector of selectors)
      element.shadowRoot?.querySelector<HTMLElement>(selector)?.click();
  };

const PHASES: Record<Phase, ShownState> = {
  loading: { phase: 'loading', answer: () => 'none' },
  choosing: { phase: 'choosing', answer: () => checkout() },
  submitting: withOrder('submitting', { next_action: null, status: null, order_no: null }),
  confirming: withOrder('confirming', {
    outcome: 'confirming',
    next_action: null,
    status: null,
    order_no: null,
  }),
  awaiting_payment: withOrder('awaiting_payment', {}),
  succeeded: withOrder('succeeded', { outcome: 'succeeded', status: 20 }),
  failed: withOrder('failed', { outcome: 'failed', status: 30 }),
  expired: withOrder('expired', { outcome: 'expired', status: 40 }),
  unmapped: withOrder('unmapped', { outcome: 'unmapped', status: 77 }),
  review: withOrder('review', { outcome: 'review', next_action: null }),
  showing_deposit_address: deposit({}),
  problem: problem('internal'),
};

const NEXT_ACTIONS: Record<NextAction['kind'], ShownState> = {
  scan_qr: next({ kind: 'scan_qr', qrcode_string: QR }),
  open_page: next({ kind: 'open_page', checkout_url: 'https://pay.example/checkout/7d0a2c1e' }),
  open_wallet: next({ kind: 'open_wallet', wallet_url: 'sberpay://invoice/7d0a2c1e' }),
  wait: next({ kind: 'wait' }),
};

const OWN_CODES: Record<Exclude<ProblemCode, keyof typeof failureStatuses>, true> = {
  relay_unreachable: true,
  contract_mismatch: true,
  attributes_wrong: true,
};
const PROBLEMS = Object.fromEntries(
  [...Object.keys(failureStatuses), ...Object.keys(OWN_CODES)].map((code) => [
    `problem ${code}`,
    problem(code as ProblemCode),
  ]),
);

const overdue = (now: number): Order => order(now, { expires_at: instant(now - 1000) });

const MORE: Record<string, ShownState> = {
  'choosing among many': { phase: 'choosing', answer: () => checkout({ options: MANY }) },
  'choosing, contact data asked': {
    phase: 'choosing',
    attributes: { option: 'card' },
    answer: () => checkout(),
  },
  'choosing, nothing fits': { phase: 'choosing', answer: () => checkout({ options: [] }) },
  'choosing again': withOrder('choosing', {}, { act: click('[data-action="choose-again"]') }),
  'in test mode': { phase: 'choosing', answer: () => checkout({ livemode: false }) },
  'texts with HTML': {
    phase: 'choosing',
    answer: () =>
      checkout({
        product_name: '<b>Bold</b> &amp; <img src=x onerror=alert(1)>',
        remark: '<script>alert(1)</script>',
      }),
  },
  'a product name of 500 characters': {
    phase: 'choosing',
    answer: () => checkout({ product_name: 'Longname '.repeat(55).slice(0, 500) }),
  },
  'a code too long for a picture': withOrder('awaiting_payment', {
    next_action: { kind: 'scan_qr', qrcode_string: 'x'.repeat(2900) },
  }),
  'time is running out': {
    phase: 'awaiting_payment',
    answer: (now) => checkout({}, order(now, { expires_at: instant(now + 400_000) })),
  },
  'time is over': {
    phase: 'awaiting_payment',
    answer: (now) => checkout({}, overdue(now)),
    // the element checks the order after a second, and would show "checking" without an answer
    queried: (now) => ({ status: 200, body: { order: overdue(now) } }),
  },
  'an order found at this browser': withOrder(
    'awaiting_payment',
    {},
    { attributes: { remark: 'Order 2041' }, visited: true },
  ),
  'an earlier order may be paid': withOrder('awaiting_payment', { other_payable: true }),
  'the page was opened': {
    ...next({ kind: 'open_page', checkout_url: 'https://pay.example/checkout/7d0a2c1e' }),
    act: (element) => {
      element.addEventListener(
        'pay-redirect',
        (event) => setTimeout(() => event.preventDefault()),
        { once: true },
      );
      const link = element.shadowRoot?.querySelector<HTMLAnchorElement>('[part="link"]');
      link?.addEventListener('click', (event) => event.preventDefault(), { once: true });
      link?.click();
    },
  },
  'a deposit behind its gate': deposit({}, { 'tag-gate': '' }),
  'a deposit, the address alone': deposit({}, {}, click('[data-code="address"]')),
  'a deposit without a tag': deposit(
    {
      currency: 'BTC',
      address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      tag: '',
      uri: 'bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    },
    { deposit: 'BTC' },
  ),
  'a deposit address of unknown shape': deposit({
    address: 'a-new-kind-of-address-0001',
    unchecked: true,
    tag: '7781',
  }),
  'a deposit received': deposit({}, {}, (element) => element.markReceived()),
};

export const states: Readonly<Record<string, ShownState>> = {
  ...PHASES,
  ...Object.fromEntries(
    Object.entries(NEXT_ACTIONS).map(([kind, state]) => [`awaiting ${kind}`, state]),
  ),
  ...PROBLEMS,
  ...MORE,
};

const PURCHASE = { amount: '48.50', currency: 'EUR', 'product-name': 'Huila, washed, 1 kg' };

/** Creates an element in the state; requests after the first answer stay pending. */
export function elementIn(
  state: ShownState,
  texts: (path: string) => string,
  attributes: Record<string, string> = {},
): PayCheckout {
  const element = document.createElement('pay-checkout');
  const all = {
    relay: 'https://relay.example',
    ...(state.attributes?.deposit === undefined ? PURCHASE : {}),
    ...state.attributes,
  };
  if (state.visited) {
    const { amount, currency, 'product-name': product_name, remark } = { remark: '', ...all };
    const intent = { amount, currency, product_name, remark };
    const kept = { attempt: crypto.randomUUID(), at: Date.now() };
    const name = digest(`${all.relay} ${JSON.stringify({ intent })}`);
    localStorage.setItem(`pay-checkout:${name}`, JSON.stringify(kept));
  }
  for (const [name, value] of Object.entries({ ...all, ...attributes }))
    element.setAttribute(name, value);
  element.fetch = (url, init) => {
    const { pathname } = new URL(url);
    if (pathname.startsWith('/locales/')) return fetch(texts(pathname), init);
    const asked = /\/(checkout|deposit-address)$/.test(pathname) ? state.answer : state.queried;
    const answer = asked?.(Date.now()) ?? 'none';
    if (answer === 'cut') return Promise.reject(new TypeError('no network'));
    if (answer !== 'none')
      return Promise.resolve(Response.json(answer.body, { status: answer.status }));
    return new Promise((_, reject) =>
      init.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
    );
  };
  return element;
}

/** Resolves when the element shows the state in its language. */
export async function settled(element: PayCheckout, state: ShownState): Promise<void> {
  const speaks = async (): Promise<void> => {
    await element.updateComplete;
    while (element.shadowRoot?.querySelector('.phase > .skeleton:only-child'))
      await new Promise(requestAnimationFrame);
  };
  const reached = (phase: string): Promise<void> =>
    new Promise((resolve) => {
      if (element.phase === phase) return resolve();
      element.addEventListener('pay-phase', function check() {
        if (element.phase !== phase) return;
        element.removeEventListener('pay-phase', check);
        resolve();
      });
    });
  if (!state.act) await reached(state.phase);
  else {
    const first = state.phase === 'choosing' ? 'awaiting_payment' : state.phase;
    await reached(first);
    await speaks();
    state.act(element);
    await reached(state.phase);
  }
  await speaks();
}

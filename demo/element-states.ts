/** The table of the element's states, with the answers of the relay that lead to each state. */
import { failureStatuses } from '../relay/contract/failure.js';
import type { NextAction, Order } from '../relay/contract/order.js';
import type { DepositAddress } from '../relay/contract/responses.js';
import type { Phase } from '../widget/checkout/flow.js';
import type { ProblemCode } from '../widget/problem.js';
import type { PayCheckout } from '../widget/pay-checkout.js';
import { timing } from '../widget/timing.js';
import {
  checkoutAnswer,
  instant,
  MANY_OPTIONS,
  OPTIONS,
  problemAnswer,
  QR,
  sampleOrder,
  UNANSWERED,
  XRP,
  type Answer,
} from './sample-answers.js';

export type ShownState = {
  readonly phase: Phase;
  /** Added to the attributes of a purchase of 48.50 EUR. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** An order for the same purchase was placed in this browser before. */
  readonly visited?: boolean;
  /** The relay's first answer. */
  readonly answer: (now: number) => Answer;
  /** The wallets of the order's option. */
  readonly wallets?: () => Answer;
  /** The answer to a query; without it, a query is never answered. */
  readonly queried?: (now: number) => Answer;
  /** The customer's action that leads to the state, and what the element does of itself then. */
  readonly act?: (element: PayCheckout) => void | Promise<void>;
};

type More = Omit<Partial<ShownState>, 'phase' | 'answer'>;

const withOrder = (
  phase: Phase,
  changes: Partial<Order> | ((now: number) => Partial<Order>),
  more: More = {},
): ShownState => ({
  phase,
  answer: (now) =>
    checkoutAnswer({}, sampleOrder(now, typeof changes === 'function' ? changes(now) : changes)),
  ...more,
});
const choosing = (
  changes: Parameters<typeof checkoutAnswer>[0] = {},
  more: More = {},
): ShownState => ({ phase: 'choosing', answer: () => checkoutAnswer(changes), ...more });
const withNextAction = (next_action: NextAction): ShownState =>
  withOrder('awaiting_payment', { next_action });

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

const problem = (code: ProblemCode): ShownState => ({
  phase: code === 'intent_closed' ? 'closed' : 'problem',
  ...(code === 'attributes_wrong' ? { attributes: { sku: 'tee' } } : {}),
  answer: () => problemAnswer(code),
});

const click =
  (...selectors: string[]) =>
  (element: PayCheckout): void => {
    for (const selector of selectors)
      element.shadowRoot?.querySelector<HTMLElement>(selector)?.click();
  };

/** Taps the link of an order, which opens nothing here. */
const tapLink = (element: PayCheckout): void => {
  const link = element.shadowRoot?.querySelector<HTMLElement>('[part="link"]');
  link?.addEventListener('click', (event) => event.preventDefault(), { once: true });
  link?.click();
};

/** The same order as in another state would remember that its link was opened. */
const nothingOpened = (request_id: string, changes: Partial<Order>): ShownState =>
  withOrder(
    'awaiting_payment',
    { request_id, ...changes },
    {
      attributes: { 'open-in': 'new-tab' },
      act: async (element) => {
        const find = (selector: string): Element | null | undefined =>
          element.shadowRoot?.querySelector(selector);
        // where a code is on the screen alone, nothing is tapped
        if (!find('[part="link"]')) return;
        // pages that load the element's modules, as the tests do, need not wait for an app to open
        const { after } = timing;
        timing.after = (_, run) => after(0, run);
        tapLink(element);
        await Promise.resolve();
        timing.after = after;
        while (!find('.actions a[href*="/r#"]')) await new Promise(requestAnimationFrame);
      },
    },
  );

/** The phase `waiting` is left out, because it looks like `loading`. */
const PHASES: Record<Exclude<Phase, 'waiting'>, ShownState> = {
  loading: { phase: 'loading', answer: () => 'none' },
  choosing: choosing(),
  submitting: withOrder('submitting', { next_action: null, status: null, order_no: null }),
  confirming: withOrder('confirming', UNANSWERED),
  awaiting_payment: withOrder('awaiting_payment', {}),
  succeeded: withOrder('succeeded', { outcome: 'succeeded', status: 20 }),
  failed: withOrder('failed', { outcome: 'failed', status: 30 }),
  expired: withOrder('expired', { outcome: 'expired', status: 40 }),
  closed: withOrder('closed', { closed: true, next_action: null }),
  unmapped: withOrder('unmapped', { outcome: 'unmapped', status: 77 }),
  review: withOrder('review', { outcome: 'review', next_action: null }),
  showing_deposit_address: deposit({}),
  problem: problem('internal'),
};

const NEXT_ACTIONS: Record<NextAction['kind'], ShownState> = {
  scan_qr: withNextAction({ kind: 'scan_qr', qrcode_string: QR }),
  open_page: withNextAction({
    kind: 'open_page',
    checkout_url: 'https://pay.example/checkout/7d0a2c1e',
  }),
  open_wallet: withNextAction({ kind: 'open_wallet', wallet_url: 'sberpay://invoice/7d0a2c1e' }),
  wait: withOrder('awaiting_payment', { next_action: { kind: 'wait' }, option: 'crypto' }),
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

const overdue = (now: number): Order => sampleOrder(now, { expires_at: instant(now - 1000) });

const MORE: Record<string, ShownState> = {
  'the code was lost': withNextAction({ kind: 'wait' }),
  'the code was lost, after a minute': withOrder('confirming', {
    ...UNANSWERED,
    created_at: instant(0),
  }),
  'choosing among many': choosing({ options: MANY_OPTIONS }),
  'choosing again among many': {
    phase: 'choosing',
    answer: (now) => checkoutAnswer({ options: MANY_OPTIONS }, sampleOrder(now, {})),
    act: click('[data-action="choose-again"]'),
  },
  'choosing, contact data asked': choosing({}, { attributes: { option: 'card' } }),
  'choosing, one way to pay': choosing({ options: MANY_OPTIONS.slice(0, 1) }),
  'choosing, a long amount': choosing({ amount: '12345678901.00', currency: 'IDR' }),
  'choosing, 18 decimals': choosing({ amount: '1.123456789012345678', currency: 'ETH' }),
  'waiting for more than a minute': withOrder('awaiting_payment', (now) => ({
    created_at: instant(now - 90_000),
  })),
  'on a phone, the code opens the app': withOrder('awaiting_payment', {
    next_action: { kind: 'scan_qr', qrcode_string: 'https://qr.nspk.ru/AS10003P' },
    code_opens: true,
  }),
  'on a phone, the code is saved': {
    phase: 'awaiting_payment',
    answer: (now) => {
      const [first, ...others] = OPTIONS;
      const options = first ? [{ ...first, phone_action: 'save' as const }, ...others] : OPTIONS;
      return checkoutAnswer({ options }, sampleOrder(now, {}));
    },
  },
  'the payee is known': withOrder('awaiting_payment', { payee: 'BEAN AND LEAF LLC' }),
  'the code has no amount': withOrder('awaiting_payment', {
    payee: 'BEAN AND LEAF LLC',
    code_amount: { currency: 'EUR' },
  }),
  'the code charges in another currency': withOrder('awaiting_payment', {
    code_amount: { amount: '1770', currency: 'THB' },
  }),
  'paid, an earlier order may be paid': withOrder('succeeded', {
    outcome: 'succeeded',
    status: 20,
    other_payable: true,
  }),
  'choosing, nothing fits': choosing({ options: [] }),
  'choosing again': withOrder('choosing', {}, { act: click('[data-action="choose-again"]') }),
  'in test mode': choosing({ livemode: false }),
  'texts with HTML': choosing({
    product_name: '<b>Bold</b> &amp; <img src=x onerror=alert(1)>',
    remark: '<script>alert(1)</script>',
  }),
  'a product name of 500 characters': choosing({
    product_name: 'Longname '.repeat(55).slice(0, 500),
  }),
  'a code too long for a picture': withOrder('awaiting_payment', {
    next_action: { kind: 'scan_qr', qrcode_string: 'x'.repeat(2900) },
  }),
  'time is running out': withOrder('awaiting_payment', (now) => ({
    expires_at: instant(now + 400_000),
  })),
  'time is over': {
    phase: 'awaiting_payment',
    answer: (now) => checkoutAnswer({}, overdue(now)),
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
    ...withNextAction({ kind: 'open_page', checkout_url: 'https://pay.example/checkout/7d0a2c1e' }),
    act: tapLink,
  },
  'nothing opened: the page': nothingOpened('nothing-opened-page', {
    next_action: { kind: 'open_page', checkout_url: 'https://pay.example/checkout/7d0a2c1e' },
  }),
  'nothing opened: the wallet': nothingOpened('nothing-opened-wallet', {
    next_action: { kind: 'open_wallet', wallet_url: 'sberpay://invoice/7d0a2c1e' },
  }),
  'nothing opened: the app of a code': nothingOpened('nothing-opened-code', {
    next_action: { kind: 'scan_qr', qrcode_string: 'https://qr.nspk.ru/AS10003P' },
    code_opens: true,
  }),
  'a deposit behind its gate': deposit({}, { 'tag-gate': '' }),
  'a deposit, the address alone': deposit({}, {}, click('[data-code="address"]')),
  'a deposit without a tag': deposit(
    {
      currency: 'BTC',
      address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      network: 'Bitcoin',
      minimum: '0.0001',
      tag: '',
      uri: 'bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    },
    { deposit: 'BTC' },
  ),
  'a deposit address of unknown shape': deposit({
    address: 'a-new-kind-of-address-0001',
    unchecked: true,
    tag: '7781',
    // the relay makes no link for a wallet from an address that it could not check
    uri: undefined,
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

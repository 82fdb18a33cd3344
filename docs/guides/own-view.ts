/**
 * A view of your own on the headless checkout: it offers the ways to pay as buttons, and shows what
 * the customer must do as text. The checkout places the order, queries it, and survives a reload.
 */
import {
  browserPage,
  createAttempts,
  createCheckout,
  createRelayClient,
  type Checkout,
  type Customer,
  type NextAction,
  type Order,
  type State,
} from 'pay-checkout';

type Choosing = Extract<State, { phase: 'choosing' }>;
type Offer = Choosing['offer'];

/** A browser ends a longer timer at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * @param relay the relay's `public_url`
 * @param token an order token of your backend
 * @param root the element that holds the view
 * @returns what to call when the view is removed
 */
export function openCheckout(relay: string, token: string, root: HTMLElement): { stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // stays when a form is drawn again
  const typed: Customer = {};
  const checkout = createCheckout({
    client: createRelayClient(relay),
    subject: { intent: { order_token: token } },
    // keeps an identifier in localStorage, so that a reload finds the same order
    attempts: createAttempts(token),
    page: browserPage,
    onState: (state, previous) => {
      // an answer about the earlier order must not take the focus from the form of the next one
      const isSameForm =
        state.phase === 'choosing' &&
        previous?.phase === 'choosing' &&
        state.wrong === previous.wrong;
      if (isSameForm) return;
      root.replaceChildren(...draw(state, checkout, typed));
      clearTimeout(timer);
      const leftMs = state.phase === 'awaiting_payment' ? msLeft(state.order) : Infinity;
      // the code or link goes when its time is over, also when no answer comes
      if (leftMs < MAX_TIMER_MS)
        timer = setTimeout(() => root.replaceChildren(...timeIsOver(checkout)), leftMs);
    },
  });
  checkout.start();
  return {
    stop: () => {
      clearTimeout(timer);
      checkout.stop();
    },
  };
}

function draw(state: State, checkout: Checkout, typed: Customer): Node[] {
  switch (state.phase) {
    case 'choosing':
      return choosing(state, checkout, typed);
    case 'awaiting_payment':
      return awaitingPayment(state.order, state.offer, checkout);
    case 'succeeded':
      return [text('Thank you. Your payment was received.')];
    case 'failed':
    case 'expired':
      return [
        text('The payment was not completed.'),
        ...otherPayable(state.order),
        button('Pay in another way', () => checkout.chooseAgain()),
      ];
    case 'problem':
      return [text(`It did not work: ${state.problem.code}`), button('Try again', checkout.retry)];
    case 'review':
    case 'unmapped':
      return [text('We are checking your payment. Please do not pay again.')];
    case 'closed':
      return [text('This purchase was closed. Please do not pay it any more.')];
    default:
      return [text('One moment, please.')];
  }
}

function choosing(
  { offer, replaces, wrong }: Choosing,
  checkout: Checkout,
  typed: Customer,
): Node[] {
  const ways = offer.options.map(({ customer = [], id, label }) => {
    const fields = customer.map((field) => [field, input(field, typed[field])] as const);
    const form = document.createElement('form');
    form.append(...fields.map(([, each]) => each), button(inPageLanguage(label)));
    form.onsubmit = (event) => {
      event.preventDefault();
      const sent: Customer = {};
      for (const [field, { value }] of fields) sent[field] = value;
      Object.assign(typed, sent);
      checkout.choose(id, sent);
    };
    return form;
  });
  return [
    text(`${offer.amount} ${offer.currency}`),
    ...(wrong ? [text(`Please correct: ${Object.keys(wrong).join(', ')}`)] : []),
    ...ways,
    ...(replaces
      ? [
          text('Your earlier order can still be paid. Please pay only one of the two.'),
          button('Back to your payment', () => checkout.backToOrder()),
        ]
      : []),
  ];
}

function awaitingPayment(order: Order, { link_schemes }: Offer, checkout: Checkout): Node[] {
  if (msLeft(order) <= 0) return timeIsOver(checkout);
  return [
    text(`${order.amount} ${order.currency}`),
    ...otherPayable(order),
    ...whatToDo(order.next_action, link_schemes),
    button('I have paid', () => void checkout.checkNow()),
    button('Pay in another way', () => checkout.chooseAgain()),
  ];
}

/** Compares two times of the relay, because the clock of a phone may be wrong. */
const msLeft = ({ expires_at, server_time }: Order): number =>
  expires_at === undefined ? Infinity : Date.parse(expires_at) - Date.parse(server_time);

const timeIsOver = (checkout: Checkout): Node[] => [
  text('The time to pay is over.'),
  button('I have paid', () => void checkout.checkNow()),
  button('Pay again', () => checkout.chooseAgain()),
];

const otherPayable = ({ other_payable }: Order): Node[] =>
  other_payable ? [text('An earlier order may still be paid. Please pay only one of them.')] : [];

function whatToDo(action: NextAction | null, schemes: readonly string[]): Node[] {
  switch (action?.kind) {
    case 'scan_qr':
      return [text('Pay this code with your banking app:'), text(action.qrcode_string)];
    case 'open_page':
      return [link('Continue to the payment page', action.checkout_url, [])];
    case 'open_wallet':
      return [link('Continue in your wallet', action.wallet_url, schemes)];
    default:
      return [text('The payment is being prepared.')];
  }
}

/** A label of the relay's configuration is one text, or a text for each language. */
function inPageLanguage(label: string | Record<string, string>): string {
  if (typeof label === 'string') return label;
  return label[document.documentElement.lang] ?? label.en ?? Object.values(label)[0] ?? '';
}

function text(content: string): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.textContent = content;
  return paragraph;
}

function input(name: string, value = ''): HTMLInputElement {
  const element = document.createElement('input');
  return Object.assign(element, { name, value, placeholder: name, required: true });
}

function button(label: string, onClick: (() => void) | null = null): HTMLElement {
  const element = document.createElement('button');
  element.textContent = label;
  element.onclick = onClick;
  return element;
}

/**
 * The relay has checked the link's host against `links.hosts`.
 *
 * @param schemes of the wallets that the relay's configuration knows
 */
function link(label: string, url: string, schemes: readonly string[]): HTMLElement {
  const { hostname, protocol } = new URL(url);
  // the sandbox on a developer's machine has no TLS
  const isPage = protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
  if (!isPage && !schemes.includes(protocol.slice(0, -1))) return text('This link is not safe.');
  const element = document.createElement('a');
  // a new tab would stay empty when a wallet opens
  const target = isPage ? '_blank' : '_self';
  Object.assign(element, { href: url, target, rel: 'noopener noreferrer' });
  element.textContent = label;
  return element;
}

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
  type NextAction,
  type Order,
  type State,
} from 'pay-checkout';

/**
 * @param relay the relay's `public_url`
 * @param token an order token of your backend
 * @param root the element that holds the view
 * @returns the checkout; call `stop()` when the view is removed
 */
export function openCheckout(relay: string, token: string, root: HTMLElement): Checkout {
  const checkout = createCheckout({
    client: createRelayClient(relay),
    subject: { intent: { order_token: token } },
    // keeps an identifier in localStorage, so that a reload finds the same order
    attempts: createAttempts(token),
    page: browserPage,
    onState: (state) => root.replaceChildren(...draw(state, checkout)),
  });
  checkout.start();
  return checkout;
}

function draw(state: State, checkout: Checkout): Node[] {
  switch (state.phase) {
    case 'choosing':
      return state.offer.options.map(({ id, label }) =>
        button(inPageLanguage(label), () => checkout.choose(id)),
      );
    case 'awaiting_payment':
      return awaitingPayment(state.order, checkout);
    case 'succeeded':
      return [text('Thank you. Your payment was received.')];
    case 'failed':
    case 'expired':
      return [
        text('The payment was not completed.'),
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

function awaitingPayment(order: Order, checkout: Checkout): Node[] {
  const { expires_at, next_action, server_time } = order;
  // compares two times of the relay, because the clock of a phone may be wrong
  if (expires_at !== undefined && Date.parse(expires_at) <= Date.parse(server_time))
    return [text('The time to pay is over.'), button('Pay again', () => checkout.chooseAgain())];
  return [
    ...whatToDo(next_action),
    button('I have paid', () => void checkout.checkNow()),
    button('Pay in another way', () => checkout.chooseAgain()),
  ];
}

function whatToDo(action: NextAction | null): Node[] {
  switch (action?.kind) {
    case 'scan_qr':
      return [text('Pay this code with your banking app:'), text(action.qrcode_string)];
    case 'open_page':
      return [link('Continue to the payment page', action.checkout_url)];
    case 'open_wallet':
      return [link('Continue in your wallet', action.wallet_url)];
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

function button(label: string, onClick: () => void): HTMLElement {
  const element = document.createElement('button');
  element.textContent = label;
  element.onclick = onClick;
  return element;
}

/** The relay has checked the link's host against `links.hosts`. */
function link(label: string, url: string): HTMLElement {
  const element = document.createElement('a');
  Object.assign(element, { href: url, target: '_blank', rel: 'noopener noreferrer' });
  element.textContent = label;
  return element;
}

/** The customer's emulated phone: beside the shop, or a popover in a narrow window. */
import { withPhoneOrder } from '../phone-orders.js';
import { find, html, show } from './markup.js';

const BESIDE = matchMedia('(min-width: 1100px)');

export function phone(): DocumentFragment {
  const aside = document.createElement('aside');
  aside.className = 'phone';
  aside.id = 'phone';
  // a popover closes on Escape and on a click outside; a wide window always shows the phone
  aside.popover = 'auto';
  aside.setAttribute('aria-label', 'The customer’s phone');
  show(
    aside,
    html`<figure>
      <div class="handset"><iframe title="The customer’s phone"></iframe></div>
      <figcaption>The customer’s phone (sandbox)</figcaption>
      <button class="phone-close" popovertarget="phone" popovertargetaction="hide">Close</button>
    </figure>`,
  );
  const opener = document.createElement('button');
  opener.className = 'phone-open';
  opener.setAttribute('popovertarget', 'phone');
  opener.setAttribute('aria-label', 'The customer’s phone');
  opener.title = 'The customer’s phone';
  show(
    opener,
    html`<svg viewBox="0 0 16 24" aria-hidden="true">
      <rect x="1.5" y="1.5" width="13" height="21" rx="3" />
      <path d="M6 19h4" />
    </svg>`,
  );

  document.addEventListener('pay-order', ({ order }) => {
    document.cookie = withPhoneOrder(document.cookie, order.request_id);
  });
  const frame = find('iframe', HTMLIFrameElement, aside);
  // the phone's page keeps a connection open, so it loads only when it is shown
  const load = (): void => {
    if (!frame.hasAttribute('src')) frame.src = '/service/phone';
  };
  const showBesideWhenWide = (): void => {
    if (!BESIDE.matches) return;
    if (aside.matches(':popover-open')) aside.hidePopover();
    load();
  };
  aside.addEventListener('toggle', (event) => {
    if ((event as ToggleEvent).newState === 'open') load();
  });
  BESIDE.addEventListener('change', showBesideWhenWide);
  showBesideWhenWide();

  const both = document.createDocumentFragment();
  both.append(aside, opener);
  return both;
}

/** The parts that every page shares: note, header, footer, and the customer's emulated phone. */
import { mark } from './art.js';
import { basketCount, onBasketChangedElsewhere } from './browser-storage.js';
import { faultPanel } from './fault-panel.js';
import { find, html, show } from './markup.js';
import { phone } from './phone.js';

const pages = [
  ['/index.html', 'Shop'],
  ['/tee.html', 'T-shirt'],
  ['/donate.html', 'Donate'],
  ['/deposit.html', 'Crypto deposit'],
] as const;

export function frame(): void {
  const main = find('main', HTMLElement);
  main.id = 'main';
  const here = location.pathname === '/' ? '/index.html' : location.pathname;
  const current = (href: string) => href === here && html`aria-current="page"`;

  const top = document.createElement('header');
  top.className = 'top';
  show(
    top,
    html`<a class="skip" href="#main">Skip to content</a>
      <p class="note">This shop is a demo: nothing here is for sale.</p>
      <div class="bar">
        <a class="brand" href="/index.html"
          >${mark}<span>Bean <i>&amp;</i> Leaf</span></a
        >
        <nav aria-label="Shop">
          ${pages.map(([href, name]) => html`<a href="${href}" ${current(href)}>${name}</a>`)}
        </nav>
        <a class="basket-link" href="/basket.html" ${current('/basket.html')}
          >Basket<span data-count></span
        ></a>
      </div>`,
  );
  const stage = document.createElement('div');
  stage.className = 'stage';
  main.replaceWith(stage);
  if (document.querySelector('script[src$="/pay-checkout.js"]')) main.append(faultPanel());
  stage.append(main, phone());
  const foot = document.createElement('footer');
  foot.className = 'foot';
  show(
    foot,
    html`<p><b>Bean &amp; Leaf</b><br />Roasted on Tuesdays, posted on Wednesdays.</p>
      <p>
        This shop is made up, and so is its coffee. The checkout is real: it sends requests to a
        relay, and the relay to a sandbox.
        <a href="/playground.html">See every state of the checkout</a>
      </p>`,
  );
  document.body.prepend(top);
  document.body.append(foot);
  showCount();
  onBasketChangedElsewhere(showCount);
  watchPayElement();
}

export function showCount(): void {
  const count = basketCount();
  find('[data-count]', HTMLElement).textContent = count === 0 ? '' : ` (${count})`;
}

const MAX_LOAD_MS = 10_000;

/** Shows a notice when the element's script does not load. */
function watchPayElement(): void {
  const script = document.querySelector('script[src$="/pay-checkout.js"]');
  if (!script) return;
  const showNotice = (): void => {
    for (const element of document.querySelectorAll('pay-checkout:not(:defined)'))
      show(
        element,
        html`<p class="notice" role="alert">
          Payment did not load. <a href="">Reload this page</a> to try again.
        </p>`,
      );
  };
  script.addEventListener('error', showNotice);
  setTimeout(showNotice, MAX_LOAD_MS);
}

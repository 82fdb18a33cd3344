/** What every page of the shop shares: header, footer, and the customer's phone beside it. */
import { basketCount } from './basket-store.js';

const pages = [
  ['/index.html', 'Shop'],
  ['/donate.html', 'Donate'],
  ['/tee.html', 'T-shirt'],
  ['/deposit.html', 'Crypto deposit'],
  ['/basket.html', 'Basket'],
] as const;

export const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** An element that the page's own markup has. */
export function find<T extends Element>(selector: string, type: new () => T): T {
  const element = document.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`the page has no ${selector}`);
  return element;
}

export function frame(): void {
  const main = find('main', HTMLElement);
  const here = location.pathname === '/' ? '/index.html' : location.pathname;
  const header = document.createElement('header');
  header.className = 'bar';
  header.innerHTML = `<a class="brand" href="/index.html">Bean &amp; Leaf</a><nav aria-label="Shop">${pages
    .map(
      ([href, name]) =>
        `<a href="${href}"${href === here ? ' aria-current="page"' : ''}>${name}${href === '/basket.html' ? '<span data-count></span>' : ''}</a>`,
    )
    .join('')}<a class="phone-link" href="/service/phone" target="_blank">Your phone</a></nav>`;
  const stage = document.createElement('div');
  stage.className = 'stage';
  main.replaceWith(stage);
  const phone = document.createElement('aside');
  phone.className = 'phone';
  phone.innerHTML =
    '<figure><iframe src="/service/phone" title="The customer’s phone"></iframe><figcaption>The customer’s phone (sandbox): confirm or decline here.</figcaption></figure>';
  stage.append(main, phone);
  document.body.prepend(header);
  const footer = document.createElement('footer');
  footer.className = 'foot';
  footer.textContent = 'A demo shop. Payments go to a sandbox: no real money moves.';
  document.body.append(footer);
  showCount();
}

export function showCount(): void {
  const count = basketCount();
  const place = document.querySelector('[data-count]');
  if (place) place.textContent = count === 0 ? '' : ` (${count})`;
}

/** The basket page: quantities, the exact total, and the link to the checkout. */
import { multiplyDecimal } from '../../relay/contract/decimal.js';
import { CURRENCY, findProduct, MAX_QUANTITY } from '../shop/products.js';
import { art } from './art.js';
import { frame, showCount } from './frame.js';
import { onBasketChangedElsewhere, readBasket, setQuantity } from './browser-storage.js';
import { find, html, show } from './markup.js';
import { money, total } from './money.js';

frame();
const container = find('#basket', HTMLElement);

function draw(): void {
  showCount();
  const lines = [...readBasket()].flatMap(([sku, quantity]) => {
    const product = findProduct(sku);
    return product ? [{ product, quantity, sum: multiplyDecimal(product.price, quantity) }] : [];
  });
  if (lines.length === 0) {
    show(
      container,
      html`<div class="empty">
        <div class="tile" data-tone="sand">
          ${art({ kind: 'cup', tone: 'sand', motif: 'bean' })}
        </div>
        <div>
          <h2>Nothing in it yet</h2>
          <p>The Huila is what most people begin with. The mint, when it is late.</p>
          <a class="button strong" href="/index.html">To the shelf</a>
        </div>
      </div>`,
    );
    return;
  }
  const amount = total(lines.map(({ sum }) => sum));
  show(
    container,
    html`<ul class="lines">
        ${lines.map(
          ({ product, quantity, sum }) =>
            html`<li>
              <div class="tile small" data-tone="${product.tone}">${art(product)}</div>
              <div class="what">
                <b>${product.name}</b
                ><span>${product.size} · ${money(product.price, CURRENCY)}</span>
              </div>
              <div class="quantity">
                <button
                  data-sku="${product.sku}"
                  data-to="${quantity - 1}"
                  aria-label="One ${product.name} less"
                >
                  −
                </button>
                <output>${quantity}</output>
                <button
                  data-sku="${product.sku}"
                  data-to="${quantity + 1}"
                  aria-label="One ${product.name} more"
                  ${quantity >= MAX_QUANTITY && html`disabled`}
                >
                  +
                </button>
              </div>
              <span class="money">${money(sum, CURRENCY)}</span>
            </li>`,
        )}
      </ul>
      <p class="sum">
        <span>Total</span><span class="money" aria-live="polite">${money(amount, CURRENCY)}</span>
      </p>
      <p class="fine">Postage is in the price. So is tax.</p>
      <p class="go">
        <a class="button strong" href="/checkout.html">To the checkout</a
        ><a class="quiet" href="/index.html">Back to the shelf</a>
      </p>`,
  );
}

container.addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLButtonElement) || target.dataset.sku === undefined) return;
  const { sku, to } = target.dataset;
  const label = target.getAttribute('aria-label') ?? '';
  setQuantity(sku, Number(to));
  draw();
  // drawing replaced the focused button: move the focus to the new one
  const redrawn = [...container.querySelectorAll<HTMLElement>('button:not(:disabled)')].find(
    (button) => button.getAttribute('aria-label') === label,
  );
  (redrawn ?? container.querySelector<HTMLElement>('button, .button'))?.focus();
});
onBasketChangedElsewhere(draw);
draw();

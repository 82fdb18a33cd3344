/** The basket: quantities, an exact sum, and on to the checkout. */
import { addDecimals, multiplyDecimal } from '../../relay/contract/decimal.js';
import { findProduct } from '../shop/products.js';
import { readBasket, setQuantity } from './basket-store.js';
import { find, frame, showCount } from './frame.js';
import { rubles } from './rubles.js';

frame();
const place = find('#basket', HTMLElement);

function draw(): void {
  const lines = Object.entries(readBasket()).flatMap(([sku, quantity]) => {
    const product = findProduct(sku);
    return product ? [{ product, quantity, sum: multiplyDecimal(product.price, quantity) }] : [];
  });
  showCount();
  if (lines.length === 0) {
    place.innerHTML = '<p class="lead">Your basket is empty.</p><a class="button main-button" href="/index.html">Find something good</a>';
    return;
  }
  const rows = lines.map(
    ({ product, quantity, sum }) =>
      `<tr><td>${product.name}</td><td><span class="quantity"><button data-sku="${product.sku}" data-to="${quantity - 1}" aria-label="One ${product.name} less">−</button><span class="money">${quantity}</span><button data-sku="${product.sku}" data-to="${quantity + 1}" aria-label="One ${product.name} more">+</button></span></td><td class="money">${rubles(sum)}</td></tr>`,
  );
  const total = lines.map(({ sum }) => sum).reduce(addDecimals);
  place.innerHTML = `<table><tbody>${rows.join('')}</tbody><tfoot><tr><td colspan="2">Total</td><td class="money">${rubles(total)}</td></tr></tfoot></table><p><a class="button main-button" href="/checkout.html">To the checkout</a></p>`;
}

place.addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLButtonElement) || target.dataset.sku === undefined) return;
  setQuantity(target.dataset.sku, Number(target.dataset.to));
  draw();
});
draw();

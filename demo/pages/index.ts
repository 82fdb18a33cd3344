/** The shop's front page: the products, each with a button. */
import { CURRENCY, findProduct, products } from '../shop/products.js';
import { art } from './art.js';
import { frame, showCount } from './frame.js';
import { readBasket, setQuantity } from './browser-storage.js';
import { find, html, show } from './markup.js';
import { money } from './money.js';

frame();
const shelf = find('#shelf', HTMLElement);
const basketStatus = find('#basket-status', HTMLElement);

show(
  shelf,
  html`${products.map(
    (product) =>
      html`<li class="product">
        <div class="tile" data-tone="${product.tone}">${art(product)}</div>
        <h2>${product.name}</h2>
        <p class="origin">${product.origin}</p>
        <p class="taste">${product.note}</p>
        <p class="buy">
          <span
            ><b class="money">${money(product.price, CURRENCY)}</b
            ><span class="size">${product.size}</span></span
          >
          <button data-sku="${product.sku}" aria-label="Add ${product.name} to the basket">
            Add
          </button>
        </p>
      </li>`,
  )}`,
);

shelf.addEventListener('click', ({ target }) => {
  const button = target instanceof HTMLButtonElement ? target : null;
  const product = findProduct(button?.dataset.sku ?? '');
  if (!button || !product) return;
  setQuantity(product.sku, (readBasket().get(product.sku) ?? 0) + 1);
  showCount();
  basketStatus.textContent = `${product.name}: ${readBasket().get(product.sku) ?? 0} in the basket`;
  button.textContent = 'Added';
  setTimeout(() => (button.textContent = 'Add'), 1200);
});

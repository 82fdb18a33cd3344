/** The shop's front: products, each with one button. */
import { products } from '../shop/products.js';
import { art } from './art.js';
import { readBasket, setQuantity } from './basket-store.js';
import { find, frame, showCount } from './frame.js';
import { rubles } from './rubles.js';

frame();
const grid = find('.grid', HTMLElement);
grid.innerHTML = products
  .map(
    (product) =>
      `<article class="product">${art(product)}<div><h2>${product.name}</h2><p>${product.note}</p><span class="line"><span class="money">${rubles(product.price)}</span><button data-sku="${product.sku}" aria-label="Add ${product.name} to the basket">Add</button></span></div></article>`,
  )
  .join('');
grid.addEventListener('click', ({ target }) => {
  const sku = target instanceof HTMLButtonElement ? target.dataset.sku : undefined;
  if (sku === undefined || !(target instanceof HTMLButtonElement)) return;
  setQuantity(sku, (readBasket()[sku] ?? 0) + 1);
  target.textContent = 'Added';
  setTimeout(() => (target.textContent = 'Add'), 1200);
  showCount();
});

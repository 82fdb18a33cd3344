/** The crypto deposit page: buttons that choose the currency of the deposit. */
import { frame } from './frame.js';
import { find } from './markup.js';

frame();
const checkout = find('pay-checkout', HTMLElement);
const chips = [...document.querySelectorAll<HTMLButtonElement>('[data-currency]')];
for (const chip of chips)
  chip.addEventListener('click', () => {
    checkout.setAttribute('deposit', chip.dataset.currency ?? '');
    for (const other of chips) other.setAttribute('aria-pressed', String(other === chip));
  });

/** The donation page: an open amount, within the relay's bounds. */
import { find, frame } from './frame.js';

frame();
const checkout = find('pay-checkout', HTMLElement);
const own = find('#own', HTMLInputElement);
const chips = [...document.querySelectorAll<HTMLButtonElement>('[data-amount]')];

function give(amount: string): void {
  checkout.setAttribute('amount', amount);
  for (const chip of chips) chip.setAttribute('aria-pressed', String(chip.dataset.amount === amount));
}
for (const chip of chips) chip.addEventListener('click', () => give(chip.dataset.amount ?? ''));
own.addEventListener('change', () => own.value && give(own.value.trim().replace(',', '.')));

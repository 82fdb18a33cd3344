/** The donation page: an open amount within the limits of the relay. */
import { compareDecimals, isAmount } from '../../relay/contract/decimal.js';
import { tree } from './art.js';
import { frame } from './frame.js';
import { find, show } from './markup.js';

frame();
show(find('#tree', HTMLElement), tree);
const checkout = find('pay-checkout', HTMLElement);
const form = find('#own-amount', HTMLFormElement);
const own = find('#own', HTMLInputElement);
const problem = find('#own-problem', HTMLElement);
const chips = [...document.querySelectorAll<HTMLButtonElement>('[data-amount]')];

function setAmount(amount: string): void {
  if (checkout.getAttribute('amount') !== amount) checkout.setAttribute('amount', amount);
  for (const chip of chips)
    chip.setAttribute(
      'aria-pressed',
      String(compareDecimals(chip.dataset.amount ?? '0', amount) === 0),
    );
}

/** Checks the limits before a request; the relay checks them too. */
const fits = (text: string): boolean =>
  isAmount(text) &&
  !/\.\d{3}/.test(text) &&
  compareDecimals(text, '1') >= 0 &&
  compareDecimals(text, '500') <= 0;

for (const chip of chips)
  chip.addEventListener('click', () => {
    form.reset();
    showProblem('');
    setAmount(chip.dataset.amount ?? '');
  });

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = own.value.trim().replace(',', '.');
  if (fits(text)) {
    showProblem('');
    setAmount(text);
  } else {
    showProblem('From $1 to $500, such as 7.50');
    own.focus();
  }
});

function showProblem(text: string): void {
  problem.textContent = text;
  own.setAttribute('aria-invalid', String(text !== ''));
}

/** The style sheets of the element, in the order in which they override each other. */
import { cardStyles } from './card.js';
import { controlStyles } from './controls.js';
import { depositStyles } from './deposit.js';
import { modalStyles } from './modal.js';
import { paymentStyles } from './payment.js';
import { stateStyles } from './states.js';

export const elementStyles = [
  cardStyles,
  controlStyles,
  paymentStyles,
  stateStyles,
  depositStyles,
  modalStyles,
];

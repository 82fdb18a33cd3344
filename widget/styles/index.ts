/** The style sheets of the element, in the order in which they override each other. */
import { cardStyles } from './card.js';
import { controlStyles } from './controls.js';
import { depositStyles } from './deposit.js';
import { modalStyles } from './modal.js';
import { olderColours } from './older-colours.js';
import { olderStyles } from './older.js';
import { paymentStyles } from './payment.js';
import { stateStyles } from './states.js';
import { tokenStyles } from './tokens.js';

export const elementStyles = [
  tokenStyles,
  cardStyles,
  controlStyles,
  paymentStyles,
  stateStyles,
  depositStyles,
  modalStyles,
  olderColours,
  olderStyles,
];

/** How the element looks: tokens first, a 4 px grid, hairlines, one accent. */
import { card } from './card.js';
import { controls } from './controls.js';
import { payment } from './payment.js';

export const styles = [card, controls, payment];

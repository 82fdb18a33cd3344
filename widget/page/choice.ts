/** The way to pay that the customer chose last, in this browser. */
import { kept } from './store.js';

export const rememberedChoice = kept('pay-checkout:choice');

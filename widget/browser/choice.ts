/** The way to pay that the customer chose last, in this browser. */
import { CHOICE, kept } from './store.js';

export const rememberedChoice = kept(CHOICE);

export { PayCheckoutEvent, PayCheckoutProgress, PayCheckoutRefund } from './entities.js';
export { payCheckoutHandler } from './handler.js';
export type { PayCheckoutOptions } from './options.js';
export { PayCheckoutPlugin } from './plugin.js';

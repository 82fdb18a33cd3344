/** `pay-checkout-relay/order-service`: the typed server-side client of the order service. */
export {
  createOrderService,
  type IsLate,
  type OrderService,
  type OrderServiceOptions,
  type Send,
} from './client.js';
export { OrderServiceError, type OrderServiceErrorKind } from './errors.js';
export { operations, type DataOf, type OperationName, type RequestOf } from './operations.js';
export { fetchSend } from './send/fetch-send.js';
export type { SendOptions, Sign } from './send/signing.js';

/** `pay-checkout-relay/order-service`: the typed server-side client of the order service. */
export { createOrderService, type OrderService, type Send } from './client.js';
export { OrderServiceError, type OrderServiceErrorKind } from './errors.js';
export { operations, type DataOf, type OperationName, type RequestOf } from './operations.js';
export { fetchSend } from './send/fetch-send.js';

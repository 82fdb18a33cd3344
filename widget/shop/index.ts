/** `pay-checkout/shop`: the shop's side of the relay, for any runtime with WebCrypto and fetch. */
export type { EventData, ShopEvent } from './event.js';
export { signOrderToken, type OrderClaims, type OrderTokenKey } from './order-token.js';
export {
  receiveEvents,
  type EventPlace,
  type EventStore,
  type HandleEvent,
  type ReceiveEvents,
  type ReceiveOptions,
} from './receive-events.js';
export {
  fetchOrder,
  reconcile,
  RelayError,
  type ReconcileOptions,
  type RelayAccess,
} from './relay.js';
export { EVENTS_TABLE, pgStore, sqliteStore } from './stores.js';
export {
  EventError,
  verifyEvent,
  type EventBody,
  type EventErrorCode,
  type EventHeaders,
  type VerifyOptions,
} from './verify-event.js';

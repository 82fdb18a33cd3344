/** `pay-checkout/shop`: the shop's side of the relay, for any runtime with WebCrypto and fetch. */
export type {
  CloseRequest,
  OrderTokenRequest,
  RenderRequest,
} from '../../relay/contract/backend-requests.js';
export type {
  PayLinkRequest,
  PayLinkResponse,
  RevokePayLinkResponse,
} from '../../relay/contract/pay-links.js';
export type { IntentRequest } from '../../relay/contract/requests.js';
export type {
  BackendOrder,
  CloseResponse,
  OrderTokenResponse,
} from '../../relay/contract/responses.js';
export {
  toAcp,
  toUcpAction,
  type AcpCheckout,
  type AgentAction,
  type AgentAddresses,
  type UcpCheckout,
} from './agent-protocols.js';
export { checkoutTag, type CheckoutTag } from './checkout-tag.js';
export { needsRefund, type EventData, type ShopEvent } from './event.js';
export { drizzleStore } from './drizzle-store.js';
export { EVENTS_TABLE } from './event-table.js';
export { knexStore } from './knex-store.js';
export { kyselyStore } from './kysely-store.js';
export {
  signDepositToken,
  signOrderToken,
  type DepositClaims,
  type OrderClaims,
  type OrderTokenKey,
} from './order-token.js';
export { createLimits, type StoreLimits } from './limits.js';
export { pgStore } from './pg-store.js';
export { prismaStore } from './prisma-store.js';
export {
  receiveEvents,
  type EventPlace,
  type EventStore,
  type HandleEvent,
  type ReceiveEvents,
  type ReceiveOptions,
} from './receive-events.js';
export { reconcile, type ReconcileOptions } from './reconcile.js';
export {
  checkoutChild,
  closeIntent,
  createOrderToken,
  createPayLink,
  fetchOrder,
  renderCheckout,
  revokePayLink,
} from './relay.js';
export { RelayError, type RelayAccess } from './relay-request.js';
export { sqliteStore } from './sqlite-store.js';
export {
  EventError,
  verifyEvent,
  type EventBody,
  type EventErrorCode,
  type EventHeaders,
  type VerifyOptions,
} from './verify-event.js';

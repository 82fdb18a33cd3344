/** `pay-checkout-relay`: the relay for any fetch runtime. */
export { createRelay, type Relay, type RelayOptions } from './app.js';
export { bindLedger } from './bind-ledger.js';
export { systemClock } from './runtime.js';
export { ConfigError, parseConfig } from './config/parse-config.js';
export type { Config, ConfigFile } from './config/schema.js';
export { fetchSend } from './order-service/send/fetch-send.js';
export type { Ledger } from './ledger/ledger.js';
export { memoryLedger } from './ledger/memory-ledger.js';

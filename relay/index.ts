/** `pay-checkout/relay`: the relay for any fetch runtime. */
export { bindLedger, createRelay, systemClock, type Relay, type RelayOptions } from './app.js';
export { ConfigError, parseConfig } from './config/parse-config.js';
export type { Config, ConfigFile } from './config/schema.js';
export type { Ledger } from './ledger/ledger.js';
export { memoryLedger } from './ledger/memory-ledger.js';

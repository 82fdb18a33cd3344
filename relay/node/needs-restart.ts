/** Which changes of the configuration a running relay cannot take. */
import type { Config } from '../config/schema.js';

/** What the process took at its start: the ledger and its binding, connections, listeners. */
const TAKEN_AT_START: Readonly<Record<string, (config: Config) => unknown>> = {
  mode: ({ mode }) => mode,
  'service.base_url': ({ service }) => service.base_url,
  'service.idle_ms': ({ service }) => service.idle_ms,
  public_url: ({ public_url }) => public_url,
  ledger: ({ ledger }) => ledger.reveal(),
  ledger_hints: ({ ledger_hints }) => ledger_hints?.reveal(),
  request_id_key: ({ request_id_key }) => request_id_key?.reveal(),
  'operator.port': ({ operator }) => operator?.port,
  // the listener limits the connections of an address only where no proxy is in front of it
  'limits.trusted_hops': ({ limits }) => limits.trusted_hops === 0,
};

/** @returns one line for each field whose change needs a restart; no line has a value */
export const needsRestart = (running: Config, changed: Config): string[] =>
  Object.entries(TAKEN_AT_START)
    .filter(([, read]) => read(running) !== read(changed))
    .map(([path]) => `${path}: a change needs a restart of the relay`);

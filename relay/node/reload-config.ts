/** Reads the configuration again while the relay runs. */
import { ConfigError } from '../config/parse-config.js';
import type { Config } from '../config/schema.js';
import type { Log } from '../runtime.js';
import { oneAtATime } from '../scheduler.js';
import { messageOf } from './message-of.js';
import { isModule, readConfigFile } from './read-config-file.js';

/** What a relay does with another configuration. */
type Reloadable = { reload(config: Config): Promise<void> };

/**
 * A configuration that is refused leaves the relay as it is. Calls that come during a reload cause
 * one more after it, which reads the file as it is then.
 *
 * @param started resolves when the relay listens
 * @returns a function that reloads, and logs whether the configuration was accepted
 */
export function createReload(file: string, started: Promise<Reloadable>, log: Log): () => void {
  const reload = oneAtATime(async () => {
    try {
      const relay = await started;
      if (isModule(file)) throw new ConfigError([`${file}: a module needs a restart of the relay`]);
      await relay.reload(await readConfigFile(file));
      log('info', 'reload', { accepted: true });
    } catch (error) {
      const findings = error instanceof ConfigError ? error.problems : [messageOf(error)];
      log('error', 'reload', { accepted: false, findings });
    }
  });
  return () => void reload();
}

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

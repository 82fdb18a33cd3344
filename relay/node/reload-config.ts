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

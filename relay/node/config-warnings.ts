/** Warns of a configuration that is accepted, and that should be changed. */
import { unshownImages } from '../config/images.js';
import { missingForSales } from '../config/live-mode.js';
import type { Config } from '../config/schema.js';
import { slowAnswer } from '../config/findings.js';
import { plainEventsSecret, shortSecret, shortSecrets } from '../config/weak-secrets.js';
import { unseenWallets } from '../config/wallets.js';
import type { Log } from '../runtime.js';
import { lowFileLimit } from './open-files.js';

/** Logs one line for each warning, at the start and after a reload. */
export function warnOfConfig(config: Config, log: Log): void {
  for (const message of warningsOf(config)) log('warn', 'config', { message });
}

function warningsOf(config: Config): string[] {
  const secretWarning = plainEventsSecret(config);
  const slowWarning = slowAnswer(config);
  const fileLimitWarning = lowFileLimit(config.service.connections);
  return [
    ...(config.links.hosts
      ? []
      : ['links.hosts is absent: links to any https host are shown unless they name a port']),
    ...missingOf(config),
    ...(secretWarning === null ? [] : [`shop_events.secret: ${secretWarning}`]),
    ...shortSecrets(config).map((path) => `${path}: ${shortSecret(path)}`),
    ...unshownImages(config).map(
      (path) => `${path}: not shown; write its host into shop.image_hosts`,
    ),
    ...unseenWallets(config).map((path) => `${path}: never shown, because no link is allowed`),
    ...(slowWarning === null ? [] : [`service.timeout_ms: ${slowWarning}`]),
    ...(fileLimitWarning === null ? [] : [fileLimitWarning]),
  ];
}

/** What is missing for a sale, in test mode; live mode refuses such a configuration. */
function missingOf(config: Config): string[] {
  const gaps = missingForSales(config);
  if (gaps.length === 0) return [];
  return [gaps.map(({ effect, line, path }) => `${path}: ${effect}; write ${line}`).join('; ')];
}

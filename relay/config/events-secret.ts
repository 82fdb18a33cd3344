/** Finds a secret of events that the official Standard Webhooks libraries cannot read. */
import type { Config } from './schema.js';

/** @returns a warning about a `shop_events.secret` in plain text; null when none is plain */
export function plainEventsSecret({ shop_events }: Pick<Config, 'shop_events'>): string | null {
  const isPlain = shop_events?.secret.some((secret) => !secret.reveal().startsWith('whsec_'));
  return isPlain ? 'official libraries need whsec_ followed by base64' : null;
}

/** Shows the configuration as it stands, without its secrets, and what is wrong with it. */
import { z } from 'zod';
import { findingsOf } from '../config/findings.js';
import type { Config } from '../config/schema.js';
import { withoutCredentials } from '../config/shown-value.js';
import type { configurationShape } from './shapes.js';

const fields = z.record(z.string(), z.unknown());

export const shownConfiguration = (config: Config): z.infer<typeof configurationShape> => ({
  configuration: fields.parse(JSON.parse(JSON.stringify(config, shown))),
  findings: findingsOf(config),
});

/** A secret writes itself as `[secret]`; a URL may have a password, and a query with a key. */
const shown = (_name: string, value: unknown): unknown => {
  if (typeof value === 'function') return '[function]';
  return typeof value === 'string' && value.includes('://') ? withoutCredentials(value) : value;
};

/**
 * Reads a configuration from a JSON file or a module with a default export; secrets come from the
 * environment and files.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError, parseConfig } from '../config/parse-config.js';
import type { Config } from '../config/schema.js';
import type { ReadSecret } from '../config/secrets.js';

/**
 * Reads and checks a configuration. A relative path of a secret's file is resolved against the
 * configuration's folder.
 *
 * @throws ConfigError naming each wrong field, or a file that cannot be read or is not JSON
 */
export async function readConfigFile(path: string): Promise<Config> {
  const file = resolve(path);
  const readSecret: ReadSecret = (reference) => {
    if ('env' in reference) return process.env[reference.env];
    try {
      return readFileSync(resolve(dirname(file), reference.file), 'utf8');
    } catch {
      return undefined;
    }
  };
  return parseConfig(await load(file), readSecret);
}

async function load(file: string): Promise<unknown> {
  if (/\.[cm]?[jt]s$/.test(file))
    return ((await import(pathToFileURL(file).href)) as { default?: unknown }).default;
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ConfigError([`${file}: cannot be read`]);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigError([`${file}: not JSON: ${error instanceof Error ? error.message : ''}`]);
  }
}

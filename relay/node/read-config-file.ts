/**
 * Reads a configuration from a JSON or YAML file, or a module with a default export; secrets come
 * from the environment and files.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseDocument } from 'yaml';
import { ConfigError, parseConfig } from '../config/parse-config.js';
import type { Config } from '../config/schema.js';
import type { ReadSecret } from '../config/secrets.js';
import { decodeUtf8, NotUtf8Error } from '../utf8.js';
import { syntaxProblem } from './syntax-problem.js';

/**
 * Reads and checks a configuration. A relative path of a secret's file is resolved against the
 * configuration's folder.
 *
 * @throws ConfigError naming each wrong field, or a file that cannot be read or has another syntax
 */
export async function readConfigFile(path: string): Promise<Config> {
  const file = resolve(path);
  return parseConfig(await load(file), secretsBeside(dirname(file)));
}

/** Reads secrets from the environment, and from files whose relative paths begin at the folder. */
export const secretsBeside =
  (folder: string): ReadSecret =>
  (reference) => {
    if ('env' in reference) return process.env[reference.env];
    try {
      return decodeUtf8(readFileSync(resolve(folder, reference.file)));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  };

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** A module is loaded once in a process, however often its file changes. */
export const isModule = (path: string): boolean => /\.[cm]?[jt]s$/.test(path);

async function load(file: string): Promise<unknown> {
  const text = await readText(file);
  if (isModule(file)) return loadModule(file);
  if (/\.ya?ml$/.test(file)) return readYaml(file, text);
  const problem = syntaxProblem(text);
  if (problem !== null) throw new ConfigError([`${file}: not JSON: ${problem}`]);
  return JSON.parse(text);
}

async function readText(file: string): Promise<string> {
  try {
    return decodeUtf8(await readFile(file));
  } catch (error) {
    const problem =
      error instanceof NotUtf8Error ? error.message : `cannot be read (${String(codeOf(error))})`;
    throw new ConfigError([`${file}: ${problem}`]);
  }
}

async function loadModule(file: string): Promise<unknown> {
  try {
    return ((await import(pathToFileURL(file).href)) as { default?: unknown }).default;
  } catch (error) {
    // its message quotes the source, which may hold a secret
    if (error instanceof SyntaxError) throw new ConfigError([`${file}: has a syntax error`]);
    throw error;
  }
}

/** Says where a text is not YAML, without quoting it: it may hold a secret. */
function readYaml(file: string, text: string): unknown {
  const document = parseDocument(text);
  const [problem] = [...document.errors, ...document.warnings];
  if (!problem) return document.toJS();
  const line = problem.linePos?.[0].line;
  const cause = problem.code.toLowerCase().replaceAll('_', ' ');
  throw new ConfigError([`${file}: not YAML: ${line ? `line ${line}: ` : ''}${cause}`]);
}

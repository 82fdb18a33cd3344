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
import { codeOf } from './message-of.js';

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
      error instanceof NotUtf8Error
        ? error.message
        : `cannot be read (${codeOf(error, 'unknown')})`;
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

/**
 * The start of V8's message about an unexpected token, up to the wrong character. What follows
 * quotes the text around it, so only this start is kept.
 */
const UNEXPECTED_TOKEN = /^Unexpected token '.'/s;

/**
 * Says where a text is not JSON. It quotes at most the one unexpected character, because the text
 * may hold a secret.
 *
 * @returns null when the text is JSON
 */
function syntaxProblem(text: string): string | null {
  const message = messageFor(text);
  if (message === null) return null;
  const [token] = UNEXPECTED_TOKEN.exec(message) ?? [];
  if (token !== undefined) return `line ${lineOfToken(text)}: ${token}`;
  // V8 quotes the text in double quotation marks, so a message without them holds nothing of it
  const [withoutQuote, position] = /^[^"]* in JSON at position (\d+)/.exec(message) ?? [];
  if (withoutQuote === undefined)
    return message.startsWith('Unexpected end') ? 'it ends too early' : 'it is not a JSON value';
  return `line ${text.slice(0, Number(position)).split('\n').length}: ${withoutQuote}`;
}

/**
 * V8's message about an unexpected token names no position. The token is in the first line for
 * which the text up to the end of that line gives such a message too.
 */
function lineOfToken(text: string): number {
  const lines = text.split('\n');
  const isWrong = (_line: string, index: number): boolean =>
    UNEXPECTED_TOKEN.test(messageFor(lines.slice(0, index + 1).join('\n')) ?? '');
  return lines.findIndex(isWrong) + 1;
}

function messageFor(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

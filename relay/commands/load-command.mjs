/**
 * Loads the built command with the code that V8 compiled at the build, which saves a third of the
 * CPU time of a start. Another version of Node, or another flag of V8, makes V8 compile the source.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const DIGEST_BYTES = 32;

/** @param {URL} url of the built command, which is CommonJS */
export function load(url) {
  const file = fileURLToPath(url);
  const cacheFile = `${file}.cache`;
  const source = readFileSync(file);
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname, importModule) {${source}\n})`,
    { filename: file, cachedData: readCache(cacheFile, source) },
  );
  return {
    run: () => {
      const module = { exports: {} };
      const define = script.runInThisContext();
      define(module.exports, createRequire(file), module, file, dirname(file), importModule);
    },
    /** Also keeps what `run` has compiled. */
    writeCache: () => {
      const code = script.createCachedData();
      writeFileSync(cacheFile, Buffer.concat([digestOf(source, code), code]));
    },
  };
}

/** Code from a cache cannot import by itself, so the build writes a call of this function there. */
const importModule = (specifier) => import(specifier);

const digestOf = (source, code) => createHash('sha256').update(source).update(code).digest();

/**
 * V8 compares only the length of the source, and with Node 20 does not check the code: it would run
 * the code of an older build, and one changed bit could end the process or keep it for ever.
 */
function readCache(file, source) {
  try {
    const cache = readFileSync(file);
    const code = cache.subarray(DIGEST_BYTES);
    return digestOf(source, code).equals(cache.subarray(0, DIGEST_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

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
  const source = readFileSync(file, 'utf8');
  const digest = createHash('sha256').update(source).digest();
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname, importModule) {${source}\n})`,
    { filename: file, cachedData: readCache(cacheFile, digest) },
  );
  return {
    run: () => {
      const module = { exports: {} };
      const define = script.runInThisContext();
      define(module.exports, createRequire(file), module, file, dirname(file), importModule);
    },
    /** Also keeps what `run` has compiled. */
    writeCache: () => writeFileSync(cacheFile, Buffer.concat([digest, script.createCachedData()])),
  };
}

/** Code from a cache cannot import by itself, so the build writes a call of this function there. */
const importModule = (specifier) => import(specifier);

/** V8 compares the length of the source only, and would run the code of an older build. */
function readCache(file, digest) {
  try {
    const cache = readFileSync(file);
    return digest.equals(cache.subarray(0, DIGEST_BYTES))
      ? cache.subarray(DIGEST_BYTES)
      : undefined;
  } catch {
    return undefined;
  }
}

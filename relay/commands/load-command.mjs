/**
 * Loads the built command with the code that V8 compiled at the build, which saves a third of the
 * CPU time of a start. Another version of Node, or another flag of V8, makes V8 compile the source.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import zlib from 'node:zlib';

const SUM_BYTES = 4;

/** @param {URL} url of the built command, which is CommonJS */
export function load(url) {
  const file = fileURLToPath(url);
  const cacheFile = `${file}.cache`;
  const source = readFileSync(file);
  const cachedData = readCache(cacheFile, source);
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname, importModule) {${source}\n})`,
    { filename: file, cachedData },
  );
  return {
    isCompiled: cachedData !== undefined && !script.cachedDataRejected,
    run: () => {
      const module = { exports: {} };
      const define = script.runInThisContext();
      define(module.exports, createRequire(file), module, file, dirname(file), importModule);
    },
    /** Also keeps what `run` has compiled. */
    writeCache: () => {
      const code = script.createCachedData();
      writeFileSync(cacheFile, Buffer.concat([sumOf(source, code), code]));
    },
  };
}

/** Code from a cache cannot import by itself, so the build writes a call of this function there. */
const importModule = (specifier) => import(specifier);

/** Finds damage, not an attack: SHA-256 of both files would take a thirtieth of each start. */
function sumOf(source, code) {
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(zlib.crc32(code, zlib.crc32(source)));
  return sum;
}

/**
 * V8 compares only the length of the source, and with Node 20 does not check the code: it would run
 * the code of an older build, and one changed bit could end the process or keep it for ever.
 */
function readCache(file, source) {
  try {
    const cache = readFileSync(file);
    const code = cache.subarray(SUM_BYTES);
    return sumOf(source, code).equals(cache.subarray(0, SUM_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

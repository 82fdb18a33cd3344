/** The built command has every part of undici that the source imports. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const relay = fileURLToPath(new URL('../../../../relay/', import.meta.url));
const parts = createRequire(import.meta.url)(`${relay}node/undici-parts.cjs`) as object;

/** The names that a file imports from undici, without types. */
const importedIn = (source: string): string[] =>
  [...source.matchAll(/^import \{([^}]*)\} from 'undici';$/gm)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));

describe('undici in the built command', () => {
  it('has the parts that the relay imports, and no other', () => {
    const files = readdirSync(relay, { recursive: true, encoding: 'utf8' });
    const imported = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => importedIn(readFileSync(relay + file, 'utf8')));
    assert.deepEqual(Object.keys(parts).sort(), [...new Set(imported)].sort());
  });
});

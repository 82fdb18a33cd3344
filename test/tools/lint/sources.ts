/** The source files of a tree, by their path from the repository's root. */
import { readFileSync, readdirSync } from 'node:fs';
import { root } from '../run/test-files.js';

export function sourcesOf(...trees: readonly string[]): Map<string, string> {
  const paths = trees.flatMap((tree) =>
    readdirSync(root + tree, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${tree}/${name}`),
  );
  return new Map(paths.map((path) => [path, readFileSync(root + path, 'utf8')]));
}

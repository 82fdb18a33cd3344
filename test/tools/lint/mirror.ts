/** The rule that the suite mirrors the source. */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const SUITE = 'test/suite/';
/** What the tests share; it tests nothing. */
const SUPPORT = 'test/suite/support/';

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/**
 * The folder of a test names the folder or the file that it tests: tests of `relay/orders/` and of
 * its files are in `suite/relay/orders/`, and those of the whole `relay/app.ts` may be in
 * `suite/relay/app/`.
 *
 * @param root of the repository, with a slash at its end
 * @param files paths of files of the suite, from the root
 * @returns the files whose folder names nothing in the source
 */
export const withoutSource = (root: string, files: readonly string[]): string[] =>
  files.filter((file) => {
    if (!file.startsWith(SUITE) || file.startsWith(SUPPORT)) return false;
    const source = root + dirname(file.slice(SUITE.length));
    return !isFolder(source) && !existsSync(`${source}.ts`);
  });

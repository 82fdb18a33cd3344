/** The conditions of a release, and the commands that it runs. */

/** `homepage` of package.json until the project has an address of its own. */
const PLACEHOLDER = 'repository.example';

export type ReleaseState = {
  /** What `git status --porcelain` prints; empty for a clean tree. */
  status: string;
  changelog: string;
  homepage: string;
  version: string;
  /** The documents that install the packages from tarballs. */
  withTarballs: readonly string[];
};

/** @returns why this state cannot be released, one line for each cause */
export function refusals(state: ReleaseState): string[] {
  const { changelog, homepage, status, version, withTarballs } = state;
  const named = changelog.split('\n').some((line) => {
    const [mark, name = ''] = line.split(' ');
    return mark === '##' && name.replace(/^\[|\]$/g, '') === version;
  });
  return [
    ...(status.trim() === ''
      ? []
      : ['the tree has changes that are not committed; commit or remove them']),
    ...(named
      ? []
      : [`CHANGELOG.md has no heading "## ${version}"; run npm run release -- --prepare`]),
    ...(withTarballs.length === 0
      ? []
      : [`${withTarballs.join(', ')}: install tarballs; run npm run release -- --prepare`]),
    ...(new URL(homepage).hostname === PLACEHOLDER
      ? [`homepage in package.json is still ${homepage}; write the address of the repository`]
      : []),
  ];
}

/** The npm tag of a version: `npm install` must not choose a pre-release. */
const tagOf = (version: string): string => (version.includes('-') ? 'next' : 'latest');

/**
 * @param tarballs in the order of their publication
 * @returns the commands of a release
 */
export const releaseCommands = (version: string, tarballs: readonly string[]): string[][] => [
  ['npm', 'test', '--', 'packages'],
  // also checks the tarballs with publint and "are the types wrong"
  ['npm', 'run', 'pack'],
  ...tarballs.map((tarball) => [
    'npm',
    'publish',
    tarball,
    '--provenance',
    '--access=public',
    `--tag=${tagOf(version)}`,
  ]),
];

/** Makes a package's README: a page of docs/packages, with links that work in a registry. */
import { withLinks } from '../../../demo/docs-site/plain.js';
import { repository } from './manifests.js';

/** The address of a file of the repository at this version. */
export const repositoryAddress = (file: string, kind: 'image' | 'link' = 'link'): string =>
  `${repository.homepage}/${kind === 'image' ? 'raw' : 'blob'}/v${repository.version}/${file}`;

/** @throws Error when a link leads to no file */
export const readme = (name: string): string =>
  withLinks(`docs/packages/${name}.md`, repositoryAddress);

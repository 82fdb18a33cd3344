/** Makes a package's README: a page of docs/packages, with links that work in a registry. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository, root } from './manifests.js';

const FOLDER = 'docs/packages';
const LINK = /(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s#]+)(#[^)]*)?\)/g;

/** @throws Error when a link leads to no file */
export function readme(name: string): string {
  const text = readFileSync(join(root, FOLDER, `${name}.md`), 'utf8');
  return text.replace(LINK, (_all, image: string, label: string, path: string, hash = '') => {
    const file = join(FOLDER, path);
    if (!existsSync(join(root, file))) throw new Error(`${FOLDER}/${name}.md: ${path} is no file`);
    const kind = image === '' ? 'blob' : 'raw';
    const address = `${repository.homepage}/${kind}/v${repository.version}/${file}`;
    return `${image}[${label}](${address}${hash})`;
  });
}

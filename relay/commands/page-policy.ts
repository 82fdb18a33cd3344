/** Reads a content security policy: whether it lets a script run, and which others. */

export type Policy = ReadonlyMap<string, readonly string[]>;

/** Each policy that the page has; a browser obeys all of them. */
export const readPolicies = (texts: readonly string[]): Policy[] =>
  texts
    .flatMap((text) => text.split(','))
    .map(readPolicy)
    .filter((policy) => policy.size > 0);

function readPolicy(text: string): Policy {
  const policy = new Map<string, readonly string[]>();
  for (const directive of text.split(';')) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    const key = name?.toLowerCase() ?? '';
    // of a directive that is there twice the first counts, as in a browser
    if (key !== '' && !policy.has(key)) policy.set(key, sources);
  }
  return policy;
}

/** @returns undefined when the policy says nothing about them */
export const sourcesOf = (policy: Policy, directive: string): readonly string[] | undefined =>
  policy.get(directive) ?? policy.get('default-src');

/**
 * Whether the sources admit an address; `hash` and `nonce` are those of a script.
 *
 * @param page the page's own address, for `'self'`
 */
export function permits(
  sources: readonly string[],
  { hash, nonce, page, url }: { url: URL; page: URL; hash?: string; nonce?: string },
): boolean {
  return sources.some((source) => {
    if (source === "'self'") return url.origin === page.origin;
    if (source.startsWith("'nonce-")) return nonce !== undefined && source === `'nonce-${nonce}'`;
    if (/^'sha\d+-/.test(source)) return hash !== undefined && source === `'${hash}'`;
    return !source.startsWith("'") && isAt(url, source, page);
  });
}

/** A path with a slash at its end names what is below it, and any other path one file. */
function isAt(url: URL, source: string, page: URL): boolean {
  if (source === '*' || /^[a-z][a-z\d+.-]*:$/i.test(source)) return true;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(source) ? source : `${page.protocol}//${source}`;
  if (address.includes('*')) return new RegExp(wildcard(address)).test(url.href);
  if (!URL.canParse(address)) return false;
  const { origin, pathname } = new URL(address);
  if (url.origin !== origin) return false;
  if (pathname === '/') return true;
  return pathname.endsWith('/') ? url.pathname.startsWith(pathname) : url.pathname === pathname;
}

const wildcard = (address: string): string =>
  `^${address.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace('*', '[^/?#@:]+')}(?:[/:?#]|$)`;

/** Sources that let a stranger's script run. */
export function openSources(sources: readonly string[]): string[] {
  // browsers ignore 'unsafe-inline' beside a nonce or a hash
  const isStrict = sources.some((source) => /^'(nonce|sha\d+)-/.test(source));
  return sources.filter((source) => {
    if (source === "'unsafe-inline'") return !isStrict;
    return source === "'unsafe-eval'" || source === '*' || /^[a-z][a-z\d+.-]*:$/i.test(source);
  });
}

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
    if (key !== '' && !policy.has(key)) policy.set(key, sources.map(inSmallLetters));
  }
  return policy;
}

/** A keyword such as `'SELF'` may be written in any case, and what follows `'nonce-` may not. */
const inSmallLetters = (source: string): string =>
  source.replace(/^'(?:nonce-|sha\d+-|.*)/i, (keyword) => keyword.toLowerCase());

/** @returns undefined when the policy says nothing about script elements */
export const scriptSources = (policy: Policy): readonly string[] | undefined =>
  policy.get('script-src-elem') ?? policy.get('script-src') ?? policy.get('default-src');

/** @returns undefined when the policy says nothing about connections */
export const connectSources = (policy: Policy): readonly string[] | undefined =>
  policy.get('connect-src') ?? policy.get('default-src');

/** Addresses do not count beside it: only a nonce or a hash admits a script. */
const isByNonce = (sources: readonly string[]): boolean => sources.includes("'strict-dynamic'");

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
    if (source.startsWith("'nonce-")) return nonce !== undefined && source === `'nonce-${nonce}'`;
    if (/^'sha\d+-/.test(source)) return hash !== undefined && source === `'${hash}'`;
    if (isByNonce(sources)) return false;
    if (source === "'self'") return url.origin === page.origin;
    return !source.startsWith("'") && isAt(url, source, page);
  });
}

/** Whether the sources admit a script without an address. */
export const permitsInline = (
  sources: readonly string[],
  { hash, nonce }: { hash: string; nonce: string | undefined },
): boolean =>
  sources.includes(`'${hash}'`) ||
  (nonce !== undefined && sources.includes(`'nonce-${nonce}'`)) ||
  openSources(sources).includes("'unsafe-inline'");

/** Whether Lit may make its templates; a name that the policy lacks ends the script. */
export function permitsTemplates(policy: Policy): boolean {
  const names = policy.get('trusted-types');
  return !names || names.includes('*') || names.includes('lit-html');
}

const isScheme = (source: string): boolean => /^[a-z][a-z\d+.-]*:$/i.test(source);

/** A path with a slash at its end names what is below it, and any other path one file. */
function isAt(url: URL, source: string, page: URL): boolean {
  if (source === '*') return true;
  if (isScheme(source)) {
    const scheme = source.toLowerCase();
    // a browser takes the encrypted form of a scheme too
    return scheme === url.protocol || (scheme === 'http:' && url.protocol === 'https:');
  }
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
    if (source !== "'unsafe-eval'" && isByNonce(sources)) return false;
    return source === "'unsafe-eval'" || source === '*' || isScheme(source);
  });
}

/** The findings of `check --page`: whether a live checkout has our script, hash and policy. */
import { createHash } from 'node:crypto';
import { BEGIN_HASH } from '../contract/begin-text.js';
import { readBytes } from '../contract/read-bytes.js';
import { messageOf } from '../node/message-of.js';
import { error, ok, warn, type Finding } from '../config/findings.js';
import { hiddenScripts, tagsOf, type Tag } from './page-html.js';
import {
  connectSources,
  openSources,
  permits,
  permitsInline,
  permitsTemplates,
  readPolicies,
  scriptSources,
  type Policy,
} from './page-policy.js';

/** Longest page and script that are read. */
const MAX_BYTES = 4_000_000;
const WITHIN_MS = 10_000;
/** A shop may send the customer from one address of its checkout to that of an order. */
const MAX_REDIRECTS = 3;

export type PageCheck = {
  page: string;
  /** The element's script of this package. */
  script: Uint8Array;
  /** Absent: the address of the relay is not compared. */
  publicUrl?: string | undefined;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
};

export async function pageFindings(asked: PageCheck): Promise<Finding[]> {
  let check = asked;
  let answer = await read(check, check.page);
  for (let count = 0; 'to' in answer && count < MAX_REDIRECTS; count++) {
    // another origin is another page, and may be the login of somebody else
    if (new URL(answer.to).origin !== new URL(check.page).origin) break;
    check = { ...check, page: answer.to };
    answer = await read(check, check.page);
  }
  if ('why' in answer) return [error('page', answer.why)];
  const { headers, text } = answer;
  if (!/\bhtml\b/i.test(headers.get('content-type') ?? ''))
    return [error('page', `no HTML, but ${headers.get('content-type') ?? 'no type'}`)];
  const tags = tagsOf(text);
  const scripts = tags.filter(({ name }) => name === 'script');
  const [own, ...more] = scripts.filter(isOurs);
  const policies = policiesOf(headers, tags);
  const others = [
    ...scripts
      .filter((tag) => !isOurs(tag) && !isData(tag))
      .map((tag) => (isBegin(tag) ? beginFinding(tag, policies) : asOther(tag))),
    ...hiddenScripts(text, tags).map((src) =>
      ok('page.other_script', `in a comment or a text: ${withoutSearch(src)}`),
    ),
    ...tags.flatMap(handlersOf),
  ];
  if (!own) return [error('page.script', whyNone(tags)), ...others];
  if (more.length > 0)
    return [
      error('page.script', `${more.length + 1} tags load the element; keep one of them`),
      ...others,
    ];
  const src = addressOf(own, tags, check.page);
  if (!src) return [error('page.script', `${srcOf(own.attributes)} is no address`), ...others];
  const named = namedRelays(own, tags);
  return [
    ...runFindings(own, src, check.page),
    ...(await scriptFindings(check, own, src)),
    ...named.flatMap((relay) => relayFindings(check, relay)),
    ...policyFindings(check, own, src, { policies, named }),
    ...(tags.some(({ name }) => name === 'pay-checkout')
      ? []
      : [warn('page.element', 'no <pay-checkout> in the HTML; a script of the page may add it')]),
    ...others,
  ];
}

type Read = { text: string; bytes: Uint8Array; headers: Headers };

async function read(
  { fetch }: Pick<PageCheck, 'fetch'>,
  url: string,
): Promise<Read | { why: string } | { why: string; to: string }> {
  const signal = AbortSignal.timeout(WITHIN_MS);
  try {
    const answer = await fetch(url, { redirect: 'manual', signal, headers: { accept: '*/*' } });
    const location = answer.headers.get('location');
    if (location !== null && answer.status >= 300 && answer.status < 400) {
      if (!URL.canParse(location, url)) return { why: 'it redirects to no address' };
      const { href: to, origin, pathname, search } = new URL(location, url);
      // the query may have a secret in it
      const left = search === '' ? '' : ' (and a query, which is not shown)';
      return { why: `it redirects to ${origin + pathname}${left}; check that page`, to };
    }
    if (answer.status !== 200) return { why: `it answers with HTTP ${answer.status}` };
    const bytes = await readBytes(answer, MAX_BYTES);
    if (bytes === null) return { why: `it is longer than ${MAX_BYTES / 1_000_000} MB` };
    return { bytes, text: new TextDecoder().decode(bytes), headers: answer.headers };
  } catch (cause) {
    return {
      why: signal.aborted ? `no answer within ${WITHIN_MS / 1000} s` : messageOf(cause),
    };
  }
}

const isOurs = ({ attributes, isForeign, isInert }: Tag): boolean =>
  !isForeign &&
  !isInert &&
  /(^|\/)pay-checkout(\.[0-9a-f]{16})?\.js$/.test(srcOf(attributes).split(/[?#]/)[0] ?? '');
const srcOf = (attributes: ReadonlyMap<string, string>): string =>
  attributes.get('src')?.trim() ?? '';
const withoutSearch = (address: string): string => address.split('?')[0] ?? '';

const JAVASCRIPT = /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i;
const typeOf = ({ attributes }: Tag): string => attributes.get('type')?.trim() ?? '';

/**
 * Data of the page, which may be other at each answer. Other scripts, such as a consent banner, may
 * run what has another type or an address.
 */
const isData = (tag: Tag): boolean =>
  !tag.isForeign && !tag.attributes.has('src') && /[/+]json$/i.test(typeOf(tag));

/** A tag may keep the browsers of today from running its script. */
function runFindings(tag: Tag, { origin }: URL, page: string): Finding[] {
  const type = typeOf(tag);
  // browsers compare a hash only with bytes that the page may read; a module is fetched so anyway
  const isUnread =
    Boolean(tag.attributes.get('integrity')?.trim()) &&
    !tag.attributes.has('crossorigin') &&
    !/^module$/i.test(type) &&
    origin !== new URL(page).origin;
  return [
    ...(JAVASCRIPT.test(type)
      ? []
      : [error('page.script', `no browser runs a script of type="${type}"`)]),
    ...(tag.attributes.has('nomodule')
      ? [error('page.script', 'no browser of today runs a script with nomodule')]
      : []),
    ...(isUnread
      ? [
          error(
            'page.script',
            `no browser runs a script of ${origin} with integrity; write crossorigin="anonymous"`,
          ),
        ]
      : []),
  ];
}

const whyNone = (tags: readonly Tag[]): string =>
  tags.some(({ attributes }) => attributes.get('type')?.toLowerCase() === 'password')
    ? 'no tag loads the element; the page asks for a password'
    : 'no tag loads the element';

/** The script behind the element's tag, as `sri` and `checkoutTag` write it. */
const isBegin = ({ attributes, text }: Tag): boolean =>
  !attributes.has('src') && hashOf('sha256', text) === BEGIN_HASH;

/** Without it the element asks later, so the page still works. */
function beginFinding({ attributes }: Tag, policies: readonly Policy[]): Finding {
  const nonce = attributes.get('nonce');
  const isBlocked = policies.some((policy) => {
    const sources = scriptSources(policy);
    return sources && !permitsInline(sources, { hash: BEGIN_HASH, nonce });
  });
  return isBlocked
    ? warn('page.begin', `script-src does not admit the script behind the tag: '${BEGIN_HASH}'`)
    : ok('page.begin', BEGIN_HASH);
}

/** Named so that a change of the page's other scripts is seen in the output. */
const asOther = ({ attributes, isForeign, text }: Tag): Finding => {
  const href = isForeign ? (attributes.get('href') ?? attributes.get('xlink:href') ?? '') : '';
  const src = srcOf(attributes) || href.trim();
  return ok('page.other_script', src === '' ? hashOf('sha256', text) : withoutSearch(src));
};

/** Scripts in attributes such as `onerror`. */
const handlersOf = ({ attributes, name }: Tag): Finding[] =>
  [...attributes]
    .filter(([key]) => /^on[a-z]/.test(key))
    .map(([key, text]) => ok('page.other_script', `${name} ${key}: ${hashOf('sha256', text)}`));

const hashOf = (algorithm: 'sha256' | 'sha384', text: string | Uint8Array): string =>
  `${algorithm}-${createHash(algorithm).update(text).digest('base64')}`;

/** A `base` of the page moves every relative address. */
function addressOf({ attributes }: Tag, tags: readonly Tag[], page: string): URL | null {
  const base = tags.find((tag) => tag.name === 'base' && tag.attributes.has('href'));
  const href = base?.attributes.get('href')?.trim() ?? '';
  const from = URL.canParse(href, page) ? new URL(href, page) : new URL(page);
  return URL.canParse(srcOf(attributes), from) ? new URL(srcOf(attributes), from) : null;
}

/**
 * The relays that attributes name, as the element reads them (widget/browser/script-relay.ts). An
 * element without one asks the relay from whose directory the script comes.
 */
function namedRelays({ attributes }: Tag, tags: readonly Tag[]): string[] {
  const ofScript = attributes.get('data-relay');
  const cards = tags.filter(({ isInert, name }) => name === 'pay-checkout' && !isInert);
  const named = cards.map((card) => card.attributes.get('relay') ?? ofScript);
  return [...new Set(cards.length > 0 ? named : [ofScript])].filter((relay) => relay !== undefined);
}

/** The element resolves it against the page, whatever its `base` says. */
const relayUrl = (named: string, page: string): URL | null =>
  URL.canParse(named || '/', page) ? new URL(named || '/', page) : null;

function relayFindings({ page, publicUrl }: PageCheck, named: string): Finding[] {
  const relay = relayUrl(named, page)?.href.replace(/\/+$/, '');
  if (relay === undefined) return [error('page.relay', `${named} is no address`)];
  if (publicUrl === undefined || relay === publicUrl) return [];
  return [error('page.relay', `the element asks ${relay}, and public_url is ${publicUrl}`)];
}

async function scriptFindings(
  check: PageCheck,
  { attributes }: Tag,
  { href }: URL,
): Promise<Finding[]> {
  const { publicUrl, script } = check;
  const own = hashOf('sha384', script);
  const named = attributes.get('integrity')?.split(/\s+/).filter(Boolean) ?? [];
  const found: Finding[] = [];
  const base = href.slice(0, href.lastIndexOf('/'));
  if (publicUrl !== undefined && base !== publicUrl)
    found.push(error('page.script', `it comes from ${base}, and public_url is ${publicUrl}`));
  if (named.length === 0)
    found.push(warn('page.integrity', `the tag has no hash; write integrity="${own}"`));
  else if (named.some((hash) => hash !== own))
    found.push(error('page.integrity', `${named.join(' ')} admits another script than ${own}`));
  else found.push(ok('page.integrity', own));
  const served = await read(check, href);
  if ('why' in served) return [...found, error('page.script', `${href}: ${served.why}`)];
  const hash = hashOf('sha384', served.bytes);
  return [
    ...found,
    hash === own
      ? ok('page.script', href)
      : error('page.script', `${href} has the hash ${hash}, and the script of this package ${own}`),
  ];
}

function policiesOf(headers: Headers, tags: readonly Tag[]): Policy[] {
  const metas = tags
    .filter(
      ({ attributes, name }) =>
        name === 'meta' &&
        attributes.get('http-equiv')?.toLowerCase() === 'content-security-policy',
    )
    .map(({ attributes }) => attributes.get('content') ?? '');
  return readPolicies([headers.get('content-security-policy') ?? '', ...metas]);
}

function policyFindings(
  { page, script, ...check }: PageCheck,
  { attributes }: Tag,
  url: URL,
  { named, policies }: { named: readonly string[]; policies: readonly Policy[] },
): Finding[] {
  const path = 'page.policy';
  const asked = named.length > 0 ? named : [check.publicUrl ?? new URL('.', url).href];
  const relays = asked.flatMap((relay) => {
    const { href } = relayUrl(relay, page) ?? {};
    return href === undefined ? [] : [new URL('v1/pay', href.replace(/\/*$/, '/'))];
  });
  const place = { page: new URL(page) };
  const nonce = attributes.get('nonce');
  // browsers compare a hash of the policy with the tag's, not with the script
  const hash = hashOf('sha384', script);
  const hasHash = attributes.get('integrity')?.split(/\s+/).includes(hash);
  const own = { ...place, url, ...(hasHash && { hash }), ...(nonce && { nonce }) };
  const restricting = policies.flatMap((policy) => scriptSources(policy) ?? []);
  if (!policies.some((policy) => scriptSources(policy)))
    return [error(path, 'no content-security-policy says which scripts may run')];
  const open = [...new Set(openSources(restricting))];
  const found: Finding[] = [];
  // all policies must admit a script, so one without open sources is enough
  if (policies.every((policy) => openSources(scriptSources(policy) ?? ['*']).length > 0))
    found.push(error(path, `script-src lets other scripts run: ${open.join(' ')}`));
  for (const policy of policies) {
    const scripts = scriptSources(policy);
    const connections = connectSources(policy);
    if (scripts && !permits(scripts, own))
      found.push(error(path, 'script-src does not admit the element’s script'));
    for (const relay of relays)
      if (connections && !permits(connections, { ...place, url: relay }))
        found.push(error(path, `connect-src does not admit ${relay.origin}`));
    if (!permitsTemplates(policy))
      found.push(error(path, 'trusted-types does not admit lit-html; the element stays empty'));
  }
  if (found.length > 0) return found;
  const hosts = foreignHosts(restricting, [place.page.origin, url.origin]);
  const also = hosts.length > 0 ? `, also of ${hosts.join(' ')}` : '';
  const known = [place.page.origin, ...relays.map(({ origin }) => origin)];
  const receivers = policies.some(connectSources)
    ? foreignHosts(
        policies.flatMap((policy) => connectSources(policy) ?? []).filter(isOfHost),
        known,
      )
    : ['any host'];
  const sends = receivers.length > 0 ? `; connect-src admits ${receivers.join(' ')}` : '';
  return [ok(path, `only named scripts run${also}${sends}`)];
}

/** What these name stays in the page. */
const isOfHost = (source: string): boolean => !/^(data|blob):$/i.test(source);

/** Sources of other hosts: a host of packages, for example, serves everybody's scripts. */
const foreignHosts = (sources: readonly string[], own: readonly string[]): string[] => [
  ...new Set(
    sources.filter(
      (source) =>
        !source.startsWith("'") &&
        !own.some((origin) => {
          const address = source.includes('://')
            ? source
            : `${new URL(origin).protocol}//${source}`;
          return URL.canParse(address) && new URL(address).origin === origin;
        }),
    ),
  ),
];

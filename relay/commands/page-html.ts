/**
 * Reads the tags of a page in one pass, as a browser does: none inside a comment or a script. Where
 * the two could differ, it rather sees a tag too many.
 */

export type Tag = {
  name: string;
  attributes: ReadonlyMap<string, string>;
  /** What stands inside a script. */
  text: string;
  /** Where it begins in the page. */
  at: number;
  /** Inside `svg` or `math`, where a script is named by `href`. */
  isForeign: boolean;
  /** Inside a `template`, which runs nothing until a script copies it. */
  isInert: boolean;
};

/** What stands inside these elements is text, unless they stand in `svg` or `math`. */
const WITH_TEXT = new Set([
  ...['script', 'style', 'textarea', 'title', 'noscript'],
  ...['iframe', 'xmp', 'noembed', 'noframes'],
]);
/** HTML has fewer white spaces than `\s`. */
const OPENING = /<([a-z][^\t\n\f\r />]*)/iy;
const CLOSING = /<\/([a-z][^\t\n\f\r />]*)/iy;
const COMMENT = /<!--(?:-?>|[^]*?(?:--!?>|$))/y;
const CDATA = /<!\[CDATA\[[^]*?(?:\]\]>|$)/y;
/** Browsers read other declarations, and closing tags without a name, as comments too. */
const OTHER_COMMENT = /<(?:[!?]|\/[^a-z])[^>]*>?/iy;

/** @returns the opening tags */
export function tagsOf(html: string): Tag[] {
  const found: Tag[] = [];
  const endOfText = textEnds(html);
  const depths = { foreign: 0, template: 0 };
  const step = (name: string, by: 1 | -1): void => {
    if (name === 'svg' || name === 'math') depths.foreign = Math.max(0, depths.foreign + by);
    if (name === 'template') depths.template = Math.max(0, depths.template + by);
  };
  let at = html.indexOf('<');
  while (at >= 0) {
    const isForeign = depths.foreign > 0;
    const comment =
      matchAt(COMMENT, html, at) ??
      (isForeign ? matchAt(CDATA, html, at) : null) ??
      matchAt(OTHER_COMMENT, html, at);
    const closing = comment ? null : matchAt(CLOSING, html, at);
    const opening = matchAt(OPENING, html, at);
    if (comment) at += comment[0].length;
    else if (closing) {
      step((closing[1] ?? '').toLowerCase(), -1);
      at = readAttributes(html, at + closing[0].length).end;
    } else if (opening) {
      const name = (opening[1] ?? '').toLowerCase();
      const { attributes, end, isClosed } = readAttributes(html, at + opening[0].length);
      // HTML has no template that closes itself
      if (!isClosed || name === 'template') step(name, 1);
      const close = WITH_TEXT.has(name) ? endOfText(name, end) : end;
      const text = html.slice(end, close);
      found.push({ name, attributes, text, at, isForeign, isInert: depths.template > 0 });
      at = isForeign ? end : close;
    } else at++;
    at = html.indexOf('<', at);
  }
  return found;
}

const SCRIPT_WITH_ADDRESS = /<script[\s/](?:[^<>]*?[\s/"'])?(?:src|href)\s*=\s*["']?([^\s"'>]+)/gi;

/**
 * The addresses of what looks like a script's tag where `tagsOf` sees a comment or a text. A
 * browser may see it otherwise, because its rules for wrongly nested tags are long.
 */
export function hiddenScripts(html: string, tags: readonly Tag[]): string[] {
  const seen = new Set(tags.map(({ at }) => at));
  return [...html.matchAll(SCRIPT_WITH_ADDRESS)].flatMap(({ 1: address = '', index }) =>
    seen.has(index) ? [] : [withoutEntities(address)],
  );
}

/** Remembers the next end of each name, so that many openings before one end cost one search. */
function textEnds(html: string): (name: string, from: number) => number {
  const next = new Map<string, number>();
  return (name, from) => {
    const known = next.get(name);
    if (known !== undefined && known >= from) return known;
    // in the page itself: a copy in lower case can have another length
    const pattern = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi');
    pattern.lastIndex = from;
    const end = pattern.exec(html)?.index ?? html.length;
    next.set(name, end);
    return end;
  };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Where an attribute stands twice, the first one counts. */
function readAttributes(
  html: string,
  from: number,
): { attributes: Tag['attributes']; end: number; isClosed: boolean } {
  const attributes = new Map<string, string>();
  let end = from;
  for (;;) {
    const before = matchAt(/[\t\n\f\r /]*/y, html, end)?.[0] ?? '';
    end += before.length;
    const name = matchAt(/[^\t\n\f\r />][^\t\n\f\r />=]*/y, html, end)?.[0];
    if (name === undefined) return { attributes, end: end + 1, isClosed: before.endsWith('/') };
    end += name.length;
    const value = matchAt(VALUE, html, end);
    end += value?.[0].length ?? 0;
    const key = name.toLowerCase();
    const text = value?.[1] ?? value?.[2] ?? value?.[3] ?? '';
    if (!attributes.has(key)) attributes.set(key, withoutEntities(text));
  }
}

const VALUE = /[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"?|'([^']*)'?|([^\t\n\f\r >]*))/y;
const ENTITIES: Record<string, string> = { amp: '&', quot: '"', lt: '<', gt: '>', apos: "'" };

const withoutEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (all, ten, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? all;
    const code = ten === undefined ? Number.parseInt(String(hex), 16) : Number(ten);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

/** Reads the tags of a page in one pass, as a browser does: none inside a comment or a script. */

export type Tag = { name: string; attributes: ReadonlyMap<string, string>; text: string };

/** What stands inside these elements is text. */
const WITH_TEXT = ['script', 'style', 'textarea', 'title', 'noscript', 'template', 'iframe'];

/** @returns the opening tags; `text` is what stands inside a script */
export function tagsOf(html: string): Tag[] {
  const lower = html.toLowerCase();
  const found: Tag[] = [];
  let at = html.indexOf('<');
  while (at >= 0) {
    if (html.startsWith('<!--', at)) {
      at = endOf(lower, '-->', at + 4);
    } else {
      const opening = matchAt(/<([a-z][^\s/>]*)/iy, html, at);
      if (!opening) at++;
      else {
        const name = (opening[1] ?? '').toLowerCase();
        const { attributes, end } = readAttributes(html, at + opening[0].length);
        const close = WITH_TEXT.includes(name) ? endOf(lower, `</${name}`, end) : end;
        found.push({ name, attributes, text: html.slice(end, close).replace(/<\/\w*$/, '') });
        at = close;
      }
    }
    at = html.indexOf('<', at);
  }
  return found;
}

const endOf = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
};

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Of an attribute that is there twice the first counts. */
function readAttributes(
  html: string,
  from: number,
): { attributes: Tag['attributes']; end: number } {
  const attributes = new Map<string, string>();
  let end = from;
  for (;;) {
    end += matchAt(/[\s/]*/y, html, end)?.[0].length ?? 0;
    const name = matchAt(/[^\s/>][^\s/>=]*/y, html, end)?.[0];
    if (name === undefined) return { attributes, end: end + 1 };
    end += name.length;
    const value = matchAt(/\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s>]*))/y, html, end);
    end += value?.[0].length ?? 0;
    const key = name.toLowerCase();
    const text = value?.[1] ?? value?.[2] ?? value?.[3] ?? '';
    if (!attributes.has(key)) attributes.set(key, withoutEntities(text));
  }
}

const ENTITIES: Record<string, string> = { amp: '&', quot: '"', lt: '<', gt: '>', apos: "'" };

const withoutEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (all, ten, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? all;
    const code = ten === undefined ? Number.parseInt(String(hex), 16) : Number(ten);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

/** The parts of a payment link. Its fields have names in lower case, because apps ignore case. */

type PaymentUri = {
  /** In lower case. */
  readonly scheme: string;
  /** What stands between the scheme and the fields. */
  readonly target: string;
  readonly fields: ReadonlyMap<string, string>;
};

/**
 * @param mayRepeat fields of which a link may have several; any other field that stands there twice
 *   breaks the link, because an app may take either
 * @returns `broken` for a link that apps read in different ways
 */
export function readPaymentUri(
  text: string,
  mayRepeat: readonly string[] = [],
): PaymentUri | 'broken' {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):([^]*)$/i.exec(text) ?? [];
  if (scheme === '' || rest.includes('#')) return 'broken';
  const at = rest.indexOf('?');
  const target = at < 0 ? rest : rest.slice(0, at);
  const fields = new Map<string, string>();
  // some apps divide the fields at a semicolon too
  for (const part of at < 0 ? [] : rest.slice(at + 1).split(/[&;]/)) {
    if (part === '') continue;
    const sign = part.indexOf('=');
    const name = decoded(sign < 0 ? part : part.slice(0, sign))?.toLowerCase();
    const value = decoded(sign < 0 ? '' : part.slice(sign + 1));
    if (name === undefined || value === null) return 'broken';
    if (fields.has(name) && !mayRepeat.includes(name)) return 'broken';
    fields.set(name, value);
  }
  return { scheme: scheme.toLowerCase(), target, fields };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

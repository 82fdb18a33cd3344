/** The parts of a payment link. Its fields have names in lower case, because apps ignore case. */

type PaymentUri = {
  /** In lower case. */
  readonly scheme: string;
  /** What stands between the scheme and the fields. */
  readonly target: string;
  readonly fields: ReadonlyMap<string, string>;
};

/** Fields that decide nothing about the payment. By default each field may decide. */
type LooseFields = {
  /** They may stand there several times; the first counts. */
  readonly mayRepeat?: (name: string) => boolean;
  /** Their value may have characters that should be escaped. */
  readonly mayBeOdd?: (name: string) => boolean;
};

/**
 * Any field that stands there twice breaks the link, because an app may take either.
 *
 * @returns `broken` for a link that apps read in different ways
 */
export function readPaymentUri(
  text: string,
  { mayRepeat = () => false, mayBeOdd = () => false }: LooseFields = {},
): PaymentUri | 'broken' {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):([^]*)$/i.exec(text) ?? [];
  const at = rest.indexOf('?');
  const target = at < 0 ? rest : rest.slice(0, at);
  if (scheme === '' || target.includes('#')) return 'broken';
  const fields = new Map<string, string>();
  // some apps divide the fields at a semicolon too
  for (const part of at < 0 ? [] : rest.slice(at + 1).split(/[&;]/)) {
    if (part === '') continue;
    const sign = part.indexOf('=');
    const name = decoded(sign < 0 ? part : part.slice(0, sign))?.toLowerCase();
    const given = sign < 0 ? '' : part.slice(sign + 1);
    if (name === undefined) return 'broken';
    const isOdd = part.includes('#') || decoded(given) === null;
    if (isOdd && !mayBeOdd(name)) return 'broken';
    if (fields.has(name) && !mayRepeat(name)) return 'broken';
    if (!fields.has(name)) fields.set(name, decoded(given) ?? given);
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

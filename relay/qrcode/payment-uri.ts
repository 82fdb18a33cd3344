/** The parts of a payment link. Its fields have names in lower case, because apps ignore case. */

type PaymentUri = {
  /** In lower case. */
  readonly scheme: string;
  /** What stands between the scheme and the fields. */
  readonly target: string;
  readonly fields: ReadonlyMap<string, string>;
};

type FieldRules = {
  /** Fields that may stand there several times; the first counts. By default none may. */
  readonly mayRepeat?: (name: string) => boolean;
  /**
   * Fields that decide nothing about the payment: not every app may see them, and their value may
   * have characters that should be escaped. By default each field may decide.
   */
  readonly mayBeOdd?: (name: string) => boolean;
  /** Fields whose names apps know in lower case alone. */
  readonly inLowerCase?: readonly string[];
};

/**
 * Any field that stands there twice breaks the link, because an app may take either.
 *
 * @returns `broken` for a link that apps read in different ways
 */
export function readPaymentUri(
  text: string,
  { mayRepeat = () => false, mayBeOdd = () => false, inLowerCase = [] }: FieldRules = {},
): PaymentUri | 'broken' {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):([^]*)$/i.exec(text) ?? [];
  const at = rest.indexOf('?');
  const target = at < 0 ? rest : rest.slice(0, at);
  // many apps drop a line break in a link, so it may stand inside the name of a field
  if (scheme === '' || target.includes('#') || /[\r\n]/.test(text)) return 'broken';
  const fields = new Map<string, string>();
  const names = new Set<string>();
  for (const { isCut, isHidden, part } of at < 0 ? [] : partsOf(rest.slice(at + 1))) {
    const [, given = '', value = ''] = /^([^=;#]*)=?([^]*)$/.exec(part) ?? [];
    const written = decoded(given) ?? given;
    // some apps read `value[0]`, `[value]`, ` value` and `?value` as the field `value`
    const own = written.replace(/^[^a-z0-9]+/i, '').replace(/\[[^]*/, '');
    const name = own.toLowerCase().replace(/[^a-z0-9._~-]/g, '');
    const isOdd =
      isHidden ||
      isCut ||
      /[;#]/.test(part) ||
      written.includes('[') ||
      decoded(given) === null ||
      decoded(value) === null;
    if (isOdd && !mayBeOdd(name)) return 'broken';
    if (inLowerCase.includes(name) && written !== name) return 'broken';
    if (names.has(name) && !mayRepeat(name)) return 'broken';
    if (!isHidden && !fields.has(name)) fields.set(name, decoded(value) ?? value);
    names.add(name);
  }
  return { scheme: scheme.toLowerCase(), target, fields };
}

/**
 * Fields from which wallets take an address or an amount, whatever the coin's form says. By the
 * last two Ledger Live pays all that the customer has, or a token in place of the coin.
 */
const OF_WALLETS = [
  'address',
  'tx_amount',
  'to',
  'recipient',
  'value',
  'useallamount',
  'subaccountid',
];
/** Wallets look for these beginnings anywhere in a link, and pay what stands behind. */
const FURTHER_LINK =
  /(bitcoin|lightning|litecoin|dogecoin|ripple|ethereum|solana|stellar)[:=](?!\s|\+|%20|$)|lnurl1/i;

type CoinRules = FieldRules & {
  /** Fields of the form that have the name of a wallet's field. */
  readonly own?: readonly string[];
  /** What breaks a link of this coin wherever it stands, written or escaped. */
  readonly breaking?: RegExp;
};

/** Reads a link to a coin: wallets for several coins read it by rules of their own. */
export function readCoinLink(
  text: string,
  { own = [], breaking, ...rules }: CoinRules = {},
): PaymentUri | 'broken' {
  const uri = readPaymentUri(text, rules);
  if (uri === 'broken') return 'broken';
  if (OF_WALLETS.some((name) => uri.fields.has(name) && !own.includes(name))) return 'broken';
  const behindScheme = text.slice(uri.scheme.length + 1);
  // a link of bitcoin has a field for an invoice, which is compared
  const rest =
    uri.scheme === 'bitcoin' ? behindScheme.replace(/[?&](req-)?lightning=/i, '') : behindScheme;
  const isBroken = (each: string): boolean =>
    FURTHER_LINK.test(each) || breaking?.test(each) === true;
  return isBroken(rest) || isBroken(decoded(rest) ?? '') ? 'broken' : uri;
}

type Part = {
  readonly part: string;
  /** Only some apps see it: it stands after a semicolon, a second question mark, or `#`. */
  readonly isHidden: boolean;
  /** Some apps end the query in it, at a second question mark, and others see more behind that. */
  readonly isCut: boolean;
};

/** The fields as each app divides them, at `&`. */
function partsOf(query: string): Part[] {
  const end = query.split('#')[0]?.length ?? 0;
  const parts: Part[] = [];
  let at = 0;
  for (const part of query.split('&')) {
    const isLast = at + part.length === query.length;
    const isCut = part.includes('?') && (!isLast || /\?[^]*=/.test(part));
    parts.push({ part, isHidden: at > end, isCut });
    for (const behind of part.split(isCut ? /[;#?]/ : /[;#]/).slice(1))
      parts.push({ part: behind, isHidden: true, isCut: false });
    at += part.length + 1;
  }
  return parts.filter(({ part }) => part !== '');
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** Shows a refused value in a message, but nothing that is a secret or could hold one. */

/** Fields whose value is a secret, or could be one by mistake. */
const SECRET_FIELDS =
  /(^|\.)(secret|secret_key|key|public_key|request_id_key|headers\.[^.]+)(\.|$)/;

const MAX_CHARACTERS = 120;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * @param isContainer an object or a list is expected here; a text in its place could be a secret
 * @returns null when the value is not shown
 */
export function shownValue(path: string, value: unknown, isContainer: boolean): string | null {
  if (value === undefined) return 'missing';
  if (SECRET_FIELDS.test(path)) return null;
  if (path === 'ledger' || path === 'ledger_hints') return shownLedger(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : 'a list';
  if (typeof value === 'object' && value !== null)
    return Object.keys(value).length === 0 ? '{}' : 'an object';
  if (typeof value !== 'string') return String(value);
  if (isContainer) return 'a text';
  return quoted(withoutCredentials(value));
}

const quoted = (text: string): string => JSON.stringify(text).slice(0, MAX_CHARACTERS);

/** Without an `@`, any part after the scheme could be the password, so only the scheme is shown. */
function shownLedger(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  const [scheme] = SCHEME.exec(name) ?? [];
  if (scheme === undefined) return null;
  return quoted(name.includes('@') ? withoutCredentials(name) : `${scheme}…`);
}

/** Hides user, password, query and fragment of a URL. */
export function withoutCredentials(text: string): string {
  const [scheme = ''] = SCHEME.exec(text) ?? [];
  const rest = text.slice(scheme.length);
  // either the query contains an @, or the password contains a ?, so only the scheme is shown
  if (/[?#].*@/s.test(rest)) return `${scheme}…`;
  // a password may hold any character, so only the last @ ends it
  const at = rest.lastIndexOf('@');
  return scheme + (at < 0 ? rest : `…${rest.slice(at)}`).replace(/[?#].+$/s, '…');
}

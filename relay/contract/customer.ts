/**
 * The contact data that a customer types, as the relay's schema reads it. The element's form looks
 * for coarse mistakes only (widget/checkout/flow.ts), and shows what the relay refuses.
 */
import type { CustomerField } from './responses.js';

/** How each field is written, for a person whose text cannot be read. */
export const CONTACT_EXAMPLES: Readonly<Record<CustomerField, string>> = {
  email: 'name@example.com',
  phone: '+1 415 555 2671',
  name: 'Maria Silva',
};

/** The longest text that is read. */
export const MAX_TYPED_CHARACTERS = 500;
const MAX_NAME_CHARACTERS = 200;
const MAX_EMAIL_CHARACTERS = 254;

/** Characters that nobody sees. Phones and documents put some around a number that is copied. */
export const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** The same but for joiners and variants of letters, which the names of many languages need. */
const INVISIBLE_IN_NAMES =
  /(?![\u200c\u200d\p{VS}])[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const PHONE_SEPARATORS = /[\s\p{Pd}\u2212./\\()·•_]/gu;

/** A digit of any script as 0 to 9: in Unicode, ten digits of a script always follow each other. */
function asAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let below = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - below - 1))) below++;
  return String(below % 10);
}

const READERS: Readonly<Record<CustomerField, (typed: string) => string | null>> = {
  phone: (typed) => {
    const number = plain(typed)
      .replace(/^tel:/i, '')
      .replace(/\p{Nd}/gu, asAsciiDigit)
      // "+44 (0)20": the zero is dialled only without the country's code
      .replace(/^(\(?(\+|00) *\d{1,3} *\)?) *\( *0 *\)/, '$1')
      .replace(PHONE_SEPARATORS, '');
    return /^\+?\d{5,20}$/.test(number) ? number : null;
  },
  email: (typed) => {
    const written = plain(typed)
      .replace(/^mailto: */i, '')
      .replace(/[.,;]+$/, '');
    const [, mailbox, domain = ''] =
      /^([^\s@"(),:;<>[\]\\]{1,64})@([\p{L}\p{M}\p{N}.-]+)$/u.exec(written) ?? [];
    const host = mailbox && hostOf(domain);
    if (!host) return null;
    const address = `${mailbox}@${host}`;
    return address.length <= MAX_EMAIL_CHARACTERS ? address : null;
  },
  name: (typed) => {
    const name = typed
      .replace(INVISIBLE_IN_NAMES, '')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim();
    return name.replace(INVISIBLE, '') !== '' && name.length <= MAX_NAME_CHARACTERS ? name : null;
  },
};

/** White space becomes plain spaces, and letters of full width become plain ones. */
const plain = (typed: string): string =>
  typed.normalize('NFKC').replace(/\s/g, ' ').replace(INVISIBLE, '').trim();

/** The domain in the form that every mail server knows: "почта.рф" is "xn--80a1acny.xn--p1ai". */
function hostOf(domain: string): string | null {
  try {
    const { hostname } = new URL(`https://${domain}`);
    return /^((?!-)[a-z\d-]{0,62}[a-z\d]\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/.test(hostname)
      ? hostname
      : null;
  } catch {
    return null;
  }
}

/**
 * Reads what a customer typed.
 *
 * @returns the text that is forwarded to the service; null when it cannot be read
 */
export const readContact = (field: CustomerField, typed: string): string | null =>
  typed.length <= MAX_TYPED_CHARACTERS ? READERS[field](typed) : null;

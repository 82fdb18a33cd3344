/** What stands around a code: an app may ignore it, or may know no form that has it. */

const BEFORE = /^[\s\p{Cc}\p{Cf}]+/u;
const BEHIND = /[\s\p{Cc}\p{Cf}]+$/u;

/** The code as it is compared, since its margins must not hide its form. */
export const withoutMargins = (text: string): string =>
  text.replace(BEFORE, '').replace(BEHIND, '');

/** The code as it is drawn. */
export function codeAlone(text: string): string {
  const alone = withoutMargins(text);
  // the last lines of a code of lines may be empty, and belong to its form
  return /[\r\n]/.test(alone) ? text.replace(BEFORE, '') : alone;
}

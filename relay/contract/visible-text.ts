/**
 * Refuses invisible characters in texts that a paying customer reads.
 *
 * A bidirectional control shows "x 100" as "001 x", and a zero-width character makes two different
 * addresses look the same. The customer would then pay for something else, or to another address.
 */
import { INVISIBLE } from './customer.js';

/** Scripts with joiners: U+200C prevents and U+200D forces the joining of two adjacent letters. */
const JOINING_SCRIPTS = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Phags_Pa', 'Adlam', 'Hanifi_Rohingya'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada'],
  ...['Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Balinese', 'Javanese'],
];
const OF_JOINING_SCRIPT = new RegExp(
  `^[${JOINING_SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]$`,
  'u',
);
const LETTER_OR_MARK = /^[\p{L}\p{M}]$/u;
/** Characters after which a joiner is valid also at the end of a word, as in Malayalam. */
const VIRAMA =
  /^[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2\u1b44\ua9c0]$/;
const PICTOGRAPH = /^\p{Extended_Pictographic}$/u;
const SKIN_TONE = /^\p{Emoji_Modifier}$/u;

/** The base of a keycap such as 1️⃣; without the U+20E3 that follows it is plain text. */
const KEYCAP_BASE = /^[\d#*]$/;

const ZERO_WIDTH_NON_JOINER = '\u200c';
const ZERO_WIDTH_JOINER = '\u200d';
const TEXT_VARIATION = '\ufe0e';
const EMOJI_VARIATION = '\ufe0f';
const KEYCAP = '\u20e3';
/**
 * Characters without a glyph of their own. Some count as letters or marks, such as the Hangul
 * fillers and the variation selectors; the Braille blank is a symbol.
 */
const INVISIBLE_CHARACTER = new RegExp(INVISIBLE, 'u');

const joins = (char: string): boolean => LETTER_OR_MARK.test(char) && OF_JOINING_SCRIPT.test(char);

/**
 * Whether the joiner at index `at` is valid: after a virama, between joining letters, or (U+200D)
 * between the parts of an emoji.
 */
function isValidJoiner(chars: readonly string[], at: number): boolean {
  const before = chars[at - 1] ?? '';
  const after = chars[at + 1] ?? '';
  if (VIRAMA.test(before)) return true;
  if (joins(before) && joins(after)) return true;
  if (chars[at] !== ZERO_WIDTH_JOINER || !PICTOGRAPH.test(after)) return false;
  const styled = before === EMOJI_VARIATION || SKIN_TONE.test(before);
  return PICTOGRAPH.test(styled ? (chars[at - 2] ?? '') : before);
}

/** Whether the character at index `at` chooses the style of an emoji before it. */
function isEmojiStyle(chars: readonly string[], at: number): boolean {
  const before = chars[at - 1] ?? '';
  if (chars[at] !== TEXT_VARIATION && chars[at] !== EMOJI_VARIATION) return false;
  return PICTOGRAPH.test(before) || (KEYCAP_BASE.test(before) && chars[at + 1] === KEYCAP);
}

/**
 * A text may contain tabs, line breaks, valid joiners and the styles of emoji, but no other
 * invisible character.
 */
export function isPageText(text: string): boolean {
  const chars = Array.from(text.replaceAll('\r\n', '\n'));
  return chars.every((char, at) => {
    if (char === '\n' || char === '\t') return true;
    if (char === ZERO_WIDTH_NON_JOINER || char === ZERO_WIDTH_JOINER)
      return isValidJoiner(chars, at);
    return !INVISIBLE_CHARACTER.test(char) || isEmojiStyle(chars, at);
  });
}

/** No network's addresses have characters beyond visible ASCII, or are longer. */
export const isVisibleAddress = (address: string): boolean => /^[\x21-\x7e]{1,512}$/.test(address);

/**
 * A tag or memo may be text. Its only white space may be U+0020, and not at an end, where nobody
 * sees it.
 */
export const isVisibleTag = (tag: string): boolean =>
  !/^ | $/.test(tag) &&
  !/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u.test(tag);

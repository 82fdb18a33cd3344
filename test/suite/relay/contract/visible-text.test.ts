/** Texts for customers contain no invisible characters except those that a language needs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isPageText,
  isVisibleAddress,
  isVisibleTag,
} from '../../../../relay/contract/visible-text.js';

const escaped = (text: string): string =>
  text.replace(/[^\x21-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('isPageText', () => {
  for (const [what, text] of [
    ['accented Latin letters', 'Café “Noir” × 2 — 50 %'],
    ['tabs and line breaks', 'Tea\tgreen\nloose\r\n250 g'],
    ['a no-break space', '19\u00a0€'],
    ['Hebrew and Arabic letters without controls', 'חולצה قميص'],
    ['a Persian non-joiner', 'می\u200cخواهم'],
    ['an Urdu vowel sign before a non-joiner', 'بِ\u200cن'],
    ['a Hindi joiner after a virama', 'क्\u200dष'],
    ['a Hindi non-joiner after a virama', 'क्\u200cष'],
    ['a Marathi eyelash ra', 'दर्\u200dया'],
    ['a Bengali joiner', 'র\u200d্যা'],
    ['a Sinhala joiner', 'ශ්\u200dරී ලංකා'],
    ['a Malayalam joiner at the end of a word', 'അവന്\u200d ഇവന്\u200d'],
    ['a Syriac non-joiner', 'ܐ\u200cܒ'],
    ['an astronaut', '👩\u200d🚀 poster'],
    ['an astronaut with a skin tone', '👩🏽\u200d🚀'],
    ['a family', '👨\u200d👩\u200d👧\u200d👦'],
    ['a flag of two signs', '🏳\ufe0f\u200d🌈'],
    ['a heart on fire', '❤\ufe0f\u200d🔥'],
    ['a kiss of two skin tones', '🧑🏻\u200d❤\ufe0f\u200d💋\u200d🧑🏼'],
    ['an emoji in its colours', 'Tea ☕\ufe0f, ❤\ufe0f and ©\ufe0f'],
    ['an emoji as a sign of the text', 'call ☎\ufe0e'],
    ['a keycap', '1\ufe0f\u20e3 × #\ufe0f\u20e3'],
    ['a combining mark', 'e\u0301'],
    ['Korean and Khmer syllables', '한글 ភាសាខ្មែរ'],
  ] as const)
    it(`accepts a page text with ${what}`, () => assert.equal(isPageText(text), true));

  for (const text of [
    ...Array.from('\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e', (char) => `a${char}b`),
    ...Array.from('\u2060\u2061\u2066\u2067\u2068\u2069\u206f\ufeff', (char) => `ک${char}ب`),
    ...Array.from('\u00ad\u0000\u0007\u000b\u001b\u007f\u0085\u009f\ufff9', (char) => `a${char}b`),
    ...Array.from('\u034f\u115f\u1160\u17b4\u17b5\u180b\u180f\u2065\u2800', (char) => `a${char}b`),
    ...Array.from('\u3164\ufe00\ufe0d\uffa0\ufff0\u{e0041}\u{e0100}', (char) => `a${char}b`),
    '\u3164',
    '葛\u{e0100}',
    'a\ufe0eb',
    'a\ufe0fb',
    '1\ufe0f',
    '1\ufe0f0',
    '☕\ufe00',
    '☕\ufe0f\ufe0f',
    '\ufe0f',
    'a\rb',
    'a\u200cb',
    'a\u200db',
    'я\u200dя',
    '中\u200d文',
    '\u200cمی',
    'می\u200c',
    'می\u200c خواهم',
    'می\u200c\u200cخواهم',
    'می\u200c\u200dخواهم',
    'a\u200cم',
    'م\u200c1',
    '5\u200d🚀',
    '👩\u200d',
    '👩\u200d\u200d🚀',
    '👩\u200c🚀',
    'a\ufe0f\u200d🚀',
    '🏽\u200da',
    '\u200d',
  ])
    it(`refuses the page text ${escaped(text)}`, () => assert.equal(isPageText(text), false));
});

describe('a deposit address', () => {
  for (const address of ['rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH', '0x52908400098527886E0F7030', '~!'])
    it(`shows a deposit address of visible ASCII: ${address}`, () =>
      assert.equal(isVisibleAddress(address), true));
  for (const address of ['', 'r N', 'rN\n', '\trN', 'rN\u200b', 'r\u041d', 'rN\u00a0', 'r\u007f'])
    it(`withholds the deposit address ${escaped(address) || 'without characters'}`, () =>
      assert.equal(isVisibleAddress(address), false));

  for (const tag of ['', '0', '123456', 'memo of two words', 'Überweisung', '备注'])
    it(`shows a deposit address with the tag ${tag || 'of no characters'}`, () =>
      assert.equal(isVisibleTag(tag), true));
  for (const char of '\u0000\t\n\u007f\u0085\u00a0\u00ad\u034f\u115f\u2003\u2007\u200b\u200d')
    it(`withholds a deposit address when its tag contains ${escaped(char)}`, () =>
      assert.equal(isVisibleTag(`1${char}2`), false));
  for (const char of '\u2028\u2029\u202e\u202f\u2066\u2800\u3000\u3164\ufe0f\ufeff\uffa0\ue000')
    it(`withholds a deposit address when its tag contains ${escaped(char)}`, () =>
      assert.equal(isVisibleTag(`1${char}2`), false));
  for (const tag of [' 12', '12 ', ' ', ' memo of two words'])
    it(`withholds a deposit address when its tag is “${tag}”, with a space at an end`, () =>
      assert.equal(isVisibleTag(tag), false));
  it('withholds a deposit address when its tag contains half a surrogate pair', () =>
    assert.equal(isVisibleTag('1\ud8002'), false));
});

/**
 * Gives the browsers of the tests the same fonts on every machine. With the machine's own fonts, a
 * package that brings another font changes the size of texts, and with it every contact sheet.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const fontPackage = dirname(
  createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'),
);

/** Inside the checkout, because the configuration names the fonts of this checkout. */
const folder = join(fontPackage, '..', '.cache', 'pay-checkout-fonts');

const sansSerif = 'DejaVu Sans';

/** Which of the fonts stands for a family that a page asks for; any other family is sans-serif. */
const families: Record<string, string> = {
  'sans-serif': sansSerif,
  'system-ui': sansSerif,
  serif: 'DejaVu Serif',
  monospace: 'DejaVu Sans Mono',
  'ui-monospace': 'DejaVu Sans Mono',
};

/**
 * Writes a configuration of fontconfig that knows only the fonts of the npm package.
 * @returns the variables of the environment with which a browser reads it
 */
export function writeFontConfiguration(): Record<string, string> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'fonts.conf');
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    `<fontconfig><dir>${join(fontPackage, 'ttf')}</dir>`,
    `<cachedir>${join(folder, 'cache')}</cachedir>`,
    ...Object.entries(families).map(([family, font]) => preference(family, font)),
    '<match target="pattern"><edit name="family" mode="append_last">',
    `<string>${sansSerif}</string></edit></match></fontconfig>`,
  ];
  // another test process may read the file at the same time: replace it as a whole
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, lines.join('\n'));
  renameSync(unfinished, path);
  return { FONTCONFIG_PATH: folder, FONTCONFIG_FILE: path };
}

const preference = (family: string, font: string): string =>
  `<alias binding="same"><family>${family}</family>` +
  `<prefer><family>${font}</family></prefer></alias>`;

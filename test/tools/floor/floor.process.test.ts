/** What the oldest supported browsers lack is used only where something stands in for it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { elementStyles } from '../../../widget/styles/index.js';
import { buildWidget } from '../../suite/support/built-widget.js';
import { newerInScript, newerInStyles } from './floor.js';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Names of the product's own fields, which a newer interface of browsers has too. */
const OWN_NAMES = new Set(
  (
    'actions,address,capture,dispatch,element,emptyScript,format,forget,inputs,isValid,mul,' +
    'productName,properties,retry,scan,subject,tag,watch'
  ).split(','),
);

/** What stands in for each function. */
const SCRIPT: Record<string, string> = {
  'api.CSSStyleSheet.CSSStyleSheet': 'a style element (browser/page-sheet.ts), as in lit',
  'api.CSSStyleSheet.replaceSync': 'the same',
  'api.Document.adoptedStyleSheets': 'the same',
  'api.ElementInternals.setFormValue': 'a hidden input (element/form-field.ts)',
  'api.ElementInternals.setValidity': 'the same',
  'api.HTMLElement.attachInternals': 'the same',
  'api.Navigator.canShare': 'no button to share',
  'api.Navigator.share': 'the same',
  'api.TrustedTypePolicy.createHTML': 'plain text: a browser without the policy needs none (lit)',
  'api.TrustedTypePolicyFactory.createPolicy': 'the same',
};

const OLDER = 'a rule in styles/older.ts';
const PLAIN = 'the card is whole without it';
/** What stands in for each part of the style sheets. */
const STYLES: Record<string, string> = {
  'css.at-rules.container': OLDER,
  'css.at-rules.media.forced-colors': PLAIN,
  'css.properties.accent-color': PLAIN,
  'css.properties.contain-intrinsic-inline-size': OLDER,
  'css.properties.contain-intrinsic-inline-size.none': OLDER,
  'css.properties.container-type': OLDER,
  'css.properties.container-type.inline-size': OLDER,
  'css.properties.container-type.normal': 'needed by containers only',
  'css.properties.cursor.default': PLAIN,
  'css.properties.cursor.pointer': PLAIN,
  'css.properties.cursor.zoom-in': PLAIN,
  'css.properties.font-family.ui-monospace': 'the next font of the list',
  'css.properties.forced-color-adjust': PLAIN,
  'css.properties.forced-color-adjust.auto': PLAIN,
  'css.properties.forced-color-adjust.none': PLAIN,
  'css.properties.hyphens': PLAIN,
  'css.properties.overscroll-behavior': 'the page may scroll too',
  'css.properties.overscroll-behavior.contain': 'the same',
  'css.properties.outline': 'an outline with square corners',
  'css.properties.outline.solid': 'the same',
  'css.properties.print-color-adjust': OLDER,
  'css.properties.print-color-adjust.exact': OLDER,
  'css.properties.rotate': OLDER,
  'css.properties.rx': 'a line with square corners',
  'css.properties.text-size-adjust': 'the prefixed property',
  'css.properties.text-wrap': PLAIN,
  'css.properties.text-wrap.balance': PLAIN,
  'css.properties.user-select': 'the prefixed property',
  'css.properties.user-select.all': 'the same',
  'css.properties.user-select.text': 'the same',
  'css.selectors.has': OLDER,
  'css.types.color.color-mix': OLDER,
  'css.types.color.color.relative_syntax': 'element/on-accent.ts',
  'css.types.color.light-dark': 'styles/older-colours.ts',
  'css.types.length.container_query_length_units': OLDER,
  'css.types.length.viewport_percentage_units_dynamic': OLDER,
};

describe('the oldest supported browsers', () => {
  before(buildWidget);

  it('have a function of the script, or something stands in for it', () => {
    const isOwn = (key: string): boolean => OWN_NAMES.has(key.split('.').at(-1) ?? '');
    const found = newerInScript(read('dist/pay-checkout.js')).filter((key) => !isOwn(key));
    assert.deepEqual(found, Object.keys(SCRIPT));
  });

  it('have a part of the style sheets, or something stands in for it', () => {
    const css = elementStyles.map(({ cssText }) => cssText).join('\n');
    const unknown = newerInStyles(css).filter((key) => STYLES[key] === undefined);
    assert.deepEqual(unknown, []);
  });

  it('get plain colours from the ready-made themes', () => {
    for (const name of readdirSync(new URL('widget/themes/', root))) {
      const [plain = ''] = read(`widget/themes/${name}`).split('@supports');
      assert.deepEqual(newerInStyles(plain), [], name);
    }
  });

  it('are missed by a script and a style sheet of today', () => {
    assert.deepEqual(newerInScript('URL.canParse(x); AbortSignal.any(y); list.toSorted()'), [
      'api.AbortSignal.any_static',
      'api.URL.canParse_static',
      'javascript.builtins.Array.toSorted',
    ]);
    const css =
      'a:has(b) { color: light-dark(red, blue); inline-size: 1cqi } @media (width<9px) {}';
    assert.deepEqual(newerInStyles(css), [
      'css.at-rules.media.range_syntax',
      'css.selectors.has',
      'css.types.color.light-dark',
      'css.types.length.container_query_length_units',
    ]);
  });
});

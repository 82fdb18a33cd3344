/** Takes from a Chromium what the oldest supported browsers lack, and from the script's styles. */
import type { BrowserContext } from 'playwright-core';

/** Functions by the object that has them; Safari 15.4, Chrome 100 or Firefox 100 lacks each. */
const MISSING = [
  'AbortSignal.any',
  'AbortSignal.timeout',
  'Array.fromAsync',
  'Array.prototype.findLast',
  'Array.prototype.toReversed',
  'Array.prototype.toSorted',
  'Array.prototype.toSpliced',
  'Array.prototype.with',
  'Crypto.prototype.randomUUID',
  'CSSStyleSheet.prototype.replace',
  'CSSStyleSheet.prototype.replaceSync',
  'Document.prototype.adoptedStyleSheets',
  'Document.prototype.startViewTransition',
  'Element.prototype.checkVisibility',
  'ElementInternals',
  'HTMLElement.prototype.attachInternals',
  'HTMLElement.prototype.popover',
  'HTMLElement.prototype.showPopover',
  'Iterator',
  'Map.groupBy',
  'Object.groupBy',
  'Promise.try',
  'Promise.withResolvers',
  'Set.prototype.union',
  'ShadowRoot.prototype.adoptedStyleSheets',
  'String.prototype.isWellFormed',
  'URL.canParse',
  'URL.parse',
];

/** Functions that every supported browser has, and older ones lack. */
export const NEEDED = [
  'AbortSignal.prototype.throwIfAborted',
  'Array.prototype.at',
  'HTMLDialogElement',
  'HTMLDialogElement.prototype.showModal',
  'Intl.supportedValuesOf',
  'Object.hasOwn',
];

/** Parts of style sheets that one of these browsers does not know, and what they become. */
const CSS_FEATURES: readonly (readonly [pattern: string, replacement: string])[] = [
  ['light-dark\\(', 'unknown('],
  ['color-mix\\(', 'unknown('],
  ['color\\(\\s*from ', 'color(unknown '],
  [':has\\(', ':unknown('],
  ['@container', '@unknown'],
  ['([;{(\\s])(container-type|contain-intrinsic-inline-size|text-wrap):', '$1unknown:'],
  ['([;{(\\s])(rotate|translate|scale|print-color-adjust):', '$1unknown:'],
  ['(\\d)(cqi|dvh)', '$1unknown'],
];

/** What Safari 16 lacks: it has containers, but no width of their own for them. */
export const SAFARI_16: typeof CSS_FEATURES = [
  ['([;{(\\s])contain-intrinsic-inline-size:', '$1unknown:'],
];

/** Deletes functions and parts of style sheets before the scripts of the page run. */
export async function lacking(
  context: BrowserContext,
  functions: readonly string[] = MISSING,
  features = CSS_FEATURES,
): Promise<void> {
  // The compiler of the tests calls this for functions with a name.
  await context.addInitScript('globalThis.__name = (named) => named');
  await context.addInitScript(
    ([paths, features]) => {
      for (const path of paths) {
        const names = path.split('.');
        const last = names.pop() ?? '';
        const owner: object | undefined = names.reduce<object | undefined>(
          (object, name) => object && Reflect.get(object, name),
          globalThis,
        );
        if (owner) Reflect.deleteProperty(owner, last);
      }
      const supports = CSS.supports.bind(CSS);
      Object.assign(CSS, {
        supports: (property: string, value: string) =>
          supports(property, value) &&
          !features.some(([pattern]) => new RegExp(pattern).test(value)),
      });
      // Without sheets of scripts, the element inserts its styles into a sheet of markup.
      const { insertRule } = CSSStyleSheet.prototype;
      CSSStyleSheet.prototype.insertRule = function (rule, index) {
        const old = features.reduce(
          (text, [pattern, replacement]) => text.replace(new RegExp(pattern, 'g'), replacement),
          rule,
        );
        return insertRule.call(this, old, index);
      };
      // Before Chrome 106 and Firefox 116, a text was rounded to a number.
      const { formatToParts } = Intl.NumberFormat.prototype;
      const { get: format } =
        Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, 'format') ?? {};
      Object.defineProperties(Intl.NumberFormat.prototype, {
        formatToParts: {
          value(this: Intl.NumberFormat, text: string) {
            return formatToParts.call(this, Number(text));
          },
        },
        format: {
          get(this: Intl.NumberFormat) {
            return (text: string): unknown => format?.call(this)(Number(text));
          },
        },
      });
    },
    [functions, features] as const,
  );
}

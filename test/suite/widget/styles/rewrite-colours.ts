/** Repaints a page as extensions for dark pages do (Dark Reader's dynamic theme). */
import type { Page } from 'playwright-core';

/**
 * Makes light colours dark and dark colours light: in the attributes of drawings, and in every rule
 * of every style sheet, also in shadow roots. A drawing's own pixels and filters stay.
 */
export const rewriteColours = (page: Page): Promise<unknown> =>
  // a script as text: the compiler wraps functions in a helper that the page does not have
  page.evaluate(`{
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const repainted = (colour) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
      return 'rgb(' + [red, green, blue].map((part) => 255 - 0.9 * part).join(' ') + ')';
    };
    const PROPERTIES = ['background-color', 'color', 'fill', 'stroke', 'stop-color'];
    const rewrite = (root) => {
      let css = '';
      const take = (rules) => {
        for (const rule of rules) {
          if (rule.selectorText)
            for (const name of PROPERTIES) {
              const value = rule.style.getPropertyValue(name);
              if (CSS.supports('color', value) && !/var|inherit|none|current/.test(value))
                css += rule.selectorText + '{' + name + ':' + repainted(value) + '!important}';
            }
          if (rule.cssRules) take(rule.cssRules);
        }
      };
      for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) take(sheet.cssRules);
      for (const node of root.querySelectorAll('*')) {
        for (const name of ['fill', 'stroke', 'stop-color'])
          if (node.hasAttribute(name) && node.getAttribute(name) !== 'none')
            node.style.setProperty(name, repainted(node.getAttribute(name)), 'important');
        if (node.shadowRoot) rewrite(node.shadowRoot);
      }
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    };
    rewrite(document);
  }`);

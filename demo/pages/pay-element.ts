/** Shows a notice when the element's script does not load. */
import { html, show } from './markup.js';

const MAX_LOAD_MS = 10_000;

export function watchPayElement(): void {
  const script = document.querySelector('script[src$="/pay-checkout.js"]');
  if (!script) return;
  const showNotice = (): void => {
    for (const element of document.querySelectorAll('pay-checkout:not(:defined)'))
      show(
        element,
        html`<p class="notice" role="alert">
          Payment did not load. <a href="">Reload this page</a> to try again.
        </p>`,
      );
  };
  script.addEventListener('error', showNotice);
  setTimeout(showNotice, MAX_LOAD_MS);
}

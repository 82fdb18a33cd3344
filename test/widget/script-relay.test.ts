/** Which relay a script tag names, beside markup with the names of the document's properties. */
import { expect } from '@open-wc/testing';
import { scriptRelay } from '../../widget/browser/script-relay.js';

const EVIL = 'https://evil.example';

/** What the classic script would find while it runs. */
function foundBy(script: HTMLScriptElement): string | null {
  let found: string | null = null;
  Object.assign(window, { readRelay: () => (found = scriptRelay()) });
  script.textContent = 'readRelay()';
  document.body.append(script);
  script.remove();
  return found;
}

describe('the relay of a script tag', () => {
  afterEach(() => document.querySelector('#markup')?.remove());

  it('is the tag’s own, though forms have the names that the document is asked for', () => {
    const markup = document.createElement('div');
    markup.id = 'markup';
    markup.innerHTML = `<form name="currentScript" data-relay="${EVIL}"></form>
      <form name="scripts"><button data-relay="${EVIL}"></button></form>
      <form name="querySelectorAll" data-relay="${EVIL}"></form>`;
    document.body.append(markup);
    const script = document.createElement('script');
    script.dataset.relay = 'https://relay.example';
    expect(foundBy(script)).to.equal('https://relay.example');
  });

  it('is not what Object.prototype says', () => {
    const polluted: Record<string, unknown> = Object.prototype as never;
    polluted.relay = EVIL;
    try {
      expect(foundBy(document.createElement('script'))).to.equal(null);
    } finally {
      delete polluted.relay;
    }
  });
});

/** The relay of a script tag, on pages whose markup or scripts try to replace it. */
import { expect } from '@open-wc/testing';
import { scriptRelay } from '../../../../widget/browser/script-relay.js';

const EVIL = 'https://evil.example';

/** Calls `scriptRelay` while the classic script runs. */
function foundBy(script: HTMLScriptElement): string | null {
  let found: string | null = null;
  Object.assign(window, { readRelay: () => (found = scriptRelay()) });
  script.textContent = 'readRelay()';
  document.body.append(script);
  script.remove();
  return found;
}

describe('scriptRelay', () => {
  afterEach(() => document.querySelector('#markup')?.remove());

  it('reads the relay of its own tag when forms have names of document properties', () => {
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

  it('ignores a data block with a relay when a module asks', () => {
    const markup = document.createElement('div');
    markup.id = 'markup';
    markup.innerHTML = `<script type="application/json" data-relay="${EVIL}">{}</` + 'script>';
    document.body.append(markup);
    expect(scriptRelay()).not.to.equal(EVIL);
  });

  it('ignores a relay on Object.prototype', () => {
    const polluted: Record<string, unknown> = Object.prototype as never;
    polluted.relay = EVIL;
    try {
      expect(foundBy(document.createElement('script'))).to.equal(null);
    } finally {
      delete polluted.relay;
    }
  });
});

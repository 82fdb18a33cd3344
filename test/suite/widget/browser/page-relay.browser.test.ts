/** The relay of a script that has no address of its own. */
import { expect } from '@open-wc/testing';
import { pageRelay } from '../../../../widget/browser/script-relay.js';

describe('the relay that a page names', () => {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'pay-checkout', href: '/shop/pay' });
  afterEach(() => link.remove());

  it('is /pay, with a line in the console, when nothing names it', () => {
    const logged: string[] = [];
    const { warn } = console;
    console.warn = (...parts: unknown[]) => void logged.push(parts.join(' '));
    expect([pageRelay(), pageRelay()]).to.deep.equal(['/pay', '/pay']);
    console.warn = warn;
    expect(logged.join()).to.match(/^<pay-checkout> relay: .* \/pay of the page$/);
  });

  it('is that of the link in its head', () => {
    document.head.append(link);
    expect(pageRelay()).to.equal('/shop/pay');
  });

  it('is not that of a link in its body, which foreign markup may contain', () => {
    document.body.append(link);
    expect(pageRelay()).to.equal('/pay');
  });
});

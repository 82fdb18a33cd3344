/** Where a link opens, by the browser and the page. */
import { expect } from '@open-wc/testing';
import { environment, openTarget } from '../../../../widget/browser/opener.js';

const DESKTOP = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 ' +
  'Version/19.0 Mobile/15E148 Safari/604.1';
const IN_APP: Record<string, string> = {
  Instagram: `${PHONE} Instagram 410.0`,
  Facebook: `${PHONE} [FBAN/FBIOS;FBAV/500.0]`,
  'Android WebView':
    'Mozilla/5.0 (Linux; Android 16; Pixel 9; wv) AppleWebKit/537.36 ' +
    'Version/4.0 Chrome/156.0 Mobile Safari/537.36',
  WeChat: `${PHONE} MicroMessenger/8.0`,
  VK: `${PHONE} VKAndroidApp/8.1`,
};

describe('openTarget', () => {
  it('opens a new tab on a desktop and the same tab on a phone when the mode is auto', () => {
    expect(openTarget('auto', { userAgent: DESKTOP, touch: false, framed: false })).to.equal(
      'new-tab',
    );
    expect(openTarget('auto', { userAgent: DESKTOP, touch: true, framed: false })).to.equal(
      'new-tab',
    );
    expect(openTarget('auto', { userAgent: PHONE, touch: true, framed: false })).to.equal(
      'same-tab',
    );
  });
  it('opens the same tab on a desktop when the payment page leads back to the shop', () => {
    const desktop = { userAgent: DESKTOP, touch: false, framed: false };
    expect(openTarget('auto', desktop, true)).to.equal('same-tab');
    expect(openTarget('new-tab', desktop, true)).to.equal('new-tab');
    expect(openTarget('auto', { ...desktop, framed: true }, true)).to.equal('new-tab');
  });
  for (const [app, userAgent] of Object.entries(IN_APP))
    it(`opens the same tab inside ${app} when the mode is auto`, () =>
      expect(openTarget('auto', { userAgent, touch: false, framed: false })).to.equal('same-tab'));
  it('opens the same tab inside an app that talks with its page', () => {
    const desktop = { userAgent: DESKTOP, touch: false, framed: false, hosted: true };
    expect(openTarget('auto', desktop)).to.equal('same-tab');
  });
  it('opens no page in the same tab when the element is in a frame', () => {
    for (const mode of ['auto', 'same-tab', 'new-tab'] as const)
      expect(openTarget(mode, { userAgent: PHONE, touch: true, framed: true })).to.equal('new-tab');
    expect(openTarget('popup', { userAgent: DESKTOP, touch: false, framed: true })).to.equal(
      'popup',
    );
  });
  for (const mode of [null, undefined, '', 'tab'])
    it(`takes ${mode} for auto`, () => {
      const phone = { userAgent: PHONE, touch: true, framed: false };
      expect(openTarget(mode as 'auto', phone)).to.equal('same-tab');
    });
  it('opens the target that the page names when the mode is not auto', () => {
    for (const mode of ['same-tab', 'new-tab', 'popup'] as const)
      expect(openTarget(mode, { userAgent: PHONE, touch: true, framed: false })).to.equal(mode);
  });
});

describe('environment', () => {
  for (const name of ['TelegramWebviewProxy', 'ReactNativeWebView', 'androidBridge', 'webkit'])
    it(`knows the web view of an app by ${name}`, () => {
      expect(environment().hosted).to.equal(false);
      Reflect.set(window, name, { messageHandlers: {} });
      try {
        expect(environment().hosted).to.equal(true);
      } finally {
        Reflect.deleteProperty(window, name);
      }
    });

  it('tells of no touch when the simulated browser of a test has no matchMedia', () => {
    const { matchMedia } = window;
    Reflect.set(window, 'matchMedia', undefined);
    try {
      expect(environment().touch).to.equal(false);
    } finally {
      window.matchMedia = matchMedia;
    }
  });
});

/** How a link leaves the page, by what surrounds it. */
import { expect } from '@open-wc/testing';
import { openTarget } from '../../widget/browser/opener.js';
import { clock, secondsLeft, spokenSlot } from '../../widget/fragments/countdown.js';
import type { Order } from '../../relay/contract/order.js';

const DESKTOP = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1';
const IN_APP: Record<string, string> = {
  Instagram: `${PHONE} Instagram 410.0`,
  Facebook: `${PHONE} [FBAN/FBIOS;FBAV/500.0]`,
  'Android WebView':
    'Mozilla/5.0 (Linux; Android 16; Pixel 9; wv) AppleWebKit/537.36 Version/4.0 Chrome/156.0 Mobile Safari/537.36',
  WeChat: `${PHONE} MicroMessenger/8.0`,
  VK: `${PHONE} VKAndroidApp/8.1`,
};

describe('openTarget', () => {
  it('auto: a tab on a desktop, this tab on a phone', () => {
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
  for (const [app, userAgent] of Object.entries(IN_APP))
    it(`auto inside ${app}: this tab`, () =>
      expect(openTarget('auto', { userAgent, touch: false, framed: false })).to.equal('same-tab'));
  it('out of a frame: never this tab, which the bank would refuse to fill', () => {
    for (const mode of ['auto', 'same-tab', 'new-tab'] as const)
      expect(openTarget(mode, { userAgent: PHONE, touch: true, framed: true })).to.equal('new-tab');
    expect(openTarget('popup', { userAgent: DESKTOP, touch: false, framed: true })).to.equal(
      'popup',
    );
  });
  it('what the page asks for', () => {
    for (const mode of ['same-tab', 'new-tab', 'popup'] as const)
      expect(openTarget(mode, { userAgent: PHONE, touch: true, framed: false })).to.equal(mode);
  });
});

describe('the countdown', () => {
  const order = { expires_at: '2026-11-21T10:00:00.000Z' } as Order;
  const at = (text: string): number => Date.parse(`2026-11-21T${text}Z`);
  it('counts to an absolute deadline, and not below zero', () => {
    expect(secondsLeft(order, at('09:59:00.400'))).to.equal(60);
    expect(secondsLeft(order, at('10:05:00'))).to.equal(0);
    expect(
      secondsLeft({ ...order, expires_at: undefined } as unknown as Order, at('09:00:00')),
    ).to.equal(null);
  });
  it('is written as a clock', () =>
    expect([clock(5), clock(400), clock(3661), clock(90_000)]).to.deep.equal([
      '00:05',
      '06:40',
      '01:01:01',
      '25:00:00',
    ]));
  it('is spoken every three minutes, then every minute, then every half', () => {
    const spoken = Array.from({ length: 900 }, (_, left) => 900 - left).filter(
      (left) => spokenSlot(left) !== spokenSlot(left + 1),
    );
    expect(spoken).to.deep.equal([900, 720, 540, 360, 300, 240, 180, 120, 60, 30]);
  });
});

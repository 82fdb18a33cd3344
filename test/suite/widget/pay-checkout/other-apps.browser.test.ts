/**
 * In the browsers of other apps, which drop links in silence, the customer pays in at most two taps
 * after the first, by each kind of link. Relay and sandbox run in the same tab.
 */
import { expect } from '@open-wc/testing';
import { createSandbox, type Sandbox } from '../../../../relay/sandbox/sandbox.js';
import type { PayRedirectEvent } from '../../../../widget/events.js';
import { timing } from '../../../../widget/timing.js';
import { createWorld, type World } from '../../support/world.js';
import { clear, holdTouchDevice, open, stageChoosing, type Stage } from './stage.js';

/** What each app puts into the page, or how it names itself. */
const APPS: Readonly<Record<string, { object?: string; agent?: string }>> = {
  Telegram: { object: 'TelegramWebviewProxy' },
  'React Native': { object: 'ReactNativeWebView' },
  Capacitor: { object: 'androidBridge' },
  'an iOS app': { object: 'webkit' },
  'an app without windows': { object: 'open' },
  'an Android app': { agent: 'Linux; Android 16; Pixel 9; wv' },
  Instagram: { agent: 'Instagram 410.0' },
  Facebook: { agent: 'FBAN/FBIOS' },
  WeChat: { agent: 'MicroMessenger/8.0' },
  Line: { agent: 'Line/15.0' },
  'a browser': {},
};

/** Each kind of link: the option that answers it, and a wallet's scheme in place of its page. */
const LINKS = {
  'a code that is a link': { option: 'qr' },
  'a wallet’s page': { option: 'wallet' },
  'a wallet’s scheme': { option: 'wallet', scheme: 'birchbank' },
  'a payment page': { option: 'card' },
} as const;

const WALLET_PAGE = 'https://service.example/wallet/';

/** A service whose wallet opens by a scheme. */
const withScheme = (sandbox: Sandbox, scheme: string): Sandbox => ({
  ...sandbox,
  fetch: async (request) => {
    const answer = await sandbox.fetch(request);
    const text = await answer.text();
    return new Response(text.replace(WALLET_PAGE, `${scheme}://pay/`), answer);
  },
});

describe('in an app that drops links', () => {
  const { after } = timing;
  const { open: openWindow } = window;
  const hasFocus = Document.prototype.hasFocus;
  let passTime = (): void => {};
  let copied = '';

  beforeEach(() => {
    holdTouchDevice({ width: 390, height: 844 });
    copied = '';
    timing.after = (ms, run) => {
      if (ms === 1500) passTime = run;
      return ms === 1500 ? () => {} : after(ms, run);
    };
    Document.prototype.hasFocus = () => true;
    const writeText = async (text: string): Promise<void> => void (copied = text);
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  });
  afterEach(() => {
    Document.prototype.hasFocus = hasFocus;
    for (const name of ['TelegramWebviewProxy', 'ReactNativeWebView', 'androidBridge', 'webkit'])
      Reflect.deleteProperty(window, name);
    for (const name of ['userAgent', 'clipboard']) Reflect.deleteProperty(navigator, name);
    window.open = openWindow;
    clear();
  });

  function enter({ agent, object }: { object?: string; agent?: string }): void {
    if (object === 'open') Reflect.set(window, 'open', undefined);
    else if (object) Reflect.set(window, object, { messageHandlers: {} });
    const userAgent = `Mozilla/5.0 (${agent ?? 'iPhone'}) Mobile`;
    if (agent)
      Object.defineProperty(navigator, 'userAgent', { configurable: true, value: userAgent });
  }

  /** @returns the page for which the element leaves at once; null when it stays */
  async function pay({ click, element, phase }: Stage): Promise<string | null> {
    const pages: string[] = [];
    const note = (event: PayRedirectEvent): void => {
      event.preventDefault();
      pages.push(event.url);
    };
    element.addEventListener('pay-redirect', note);
    click('[data-action="pay"]');
    await phase('awaiting_payment');
    await element.updateComplete;
    element.removeEventListener('pay-redirect', note);
    return pages[0] ?? null;
  }

  /**
   * Taps the main action. The app drops a link to anything but a page in the same tab.
   *
   * @returns what the customer now has: a page, or a copied text; null when nothing happened
   */
  async function tap({ element }: Stage, isApp: boolean): Promise<string | null> {
    const [action, ...others] = element.shadowRoot!.querySelectorAll<HTMLElement>('.primary');
    expect(others).to.deep.equal([]);
    copied = '';
    action!.click();
    passTime();
    await element.updateComplete;
    if (!(action instanceof HTMLAnchorElement)) return copied || null;
    const isPage = action.protocol === 'https:' && !(isApp && action.target === '_blank');
    return isPage ? action.href : null;
  }

  for (const [app, signs] of Object.entries(APPS))
    for (const [link, { option, ...wallet }] of Object.entries(LINKS))
      it(`the customer pays by ${link} in ${app}`, async () => {
        enter(signs);
        const publicUrl = 'https://service.example';
        const links = { 'direct/qrcode/sbp_qr': 'qrcode_link' } as const;
        const sandbox = createSandbox({
          publicUrl,
          links,
          notify: (url, init) =>
            world.relay.fetch(new Request(url.replace('/pay/v1/', '/v1/'), init)),
        });
        const world: World = createWorld({
          sandbox: 'scheme' in wallet ? withScheme(sandbox, wallet.scheme) : sandbox,
          config: { links: { hosts: ['service.example'], schemes: ['birchbank'] } },
        });
        const stage = await stageChoosing(world, { ...open, option });
        let taken = await pay(stage);
        stage.element.addEventListener('click', (event) => event.preventDefault());
        for (let taps = 0; taken === null && taps < 3; taps++)
          taken = await tap(stage, app !== 'a browser');
        const [order] = sandbox.orders.all();
        expect(taken).to.include(order!.order_no);
        sandbox.orders.act(order!, 'confirm');
        await stage.phase('succeeded');
        expect(world.pays().length).to.equal(1);
      });
});

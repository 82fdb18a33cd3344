/** The relay's page for links to another device: only the element, under a strict policy. */
import { expect } from '@open-wc/testing';
import { NAMED_TEXT } from '../../../../widget/browser/page-sheet.js';
import { createWorld } from '../../support/world.js';

const ask = (headers: Record<string, string> = {}, image_hosts?: string[]): Promise<Response> =>
  createWorld({
    config: {
      shop: { name: '<b>Bean</b> & Leaf', origins: ['https://shop.example'], image_hosts },
    },
  }).relay.fetch(new Request('https://shop.example/r', { headers }));

const sha256Of = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
};

describe('the page for links to another device', () => {
  it('answers a page with only the shop’s name, the element and its script', async () => {
    const response = await ask();
    expect(response.status).to.equal(200);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    expect(page.compatMode).to.equal('CSS1Compat');
    expect([...page.body.children].map(({ localName }) => localName)).to.deep.equal([
      'header',
      'pay-checkout',
    ]);
    expect(page.querySelector('header')?.textContent).to.equal('<b>Bean</b> & Leaf');
    expect(page.querySelector('pay-checkout')?.textContent).to.include('Please reload the page');
    expect([...page.scripts].map((script) => script.getAttribute('src'))).to.deep.equal([
      './pay-checkout.js',
    ]);
    expect(page.title).to.equal('<b>Bean</b> & Leaf');
    expect(page.querySelector('meta[name="robots"]')?.getAttribute('content')).to.equal('noindex');
    const sheets = [...page.querySelectorAll('link')].map((link) => link.getAttribute('href'));
    expect(sheets).to.deep.equal(['./pay-link.css']);
    expect(page.querySelector('[style], style, base')).to.equal(null);
  });

  it('answers a page with a strict policy that is not stored and sends no referrer', async () => {
    const { headers } = await ask();
    expect(headers.get('content-type')).to.include('text/html');
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('referrer-policy')).to.equal('no-referrer');
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
    const policy = headers.get('content-security-policy')?.split('; ');
    expect(policy?.sort()).to.deep.equal([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self'",
      "require-trusted-types-for 'script'",
      "script-src 'self'",
      `style-src 'self' 'sha256-${await sha256Of(NAMED_TEXT)}'`,
      'trusted-types lit-html',
    ]);
  });

  it('lets the page show images of the relay and of the configured hosts', async () => {
    const { headers } = await ask({}, ['cdn.example', '*.img.example']);
    expect(headers.get('content-security-policy')?.split('; ')).to.include(
      "img-src 'self' https://cdn.example https://*.img.example",
    );
  });

  it('answers in the first language with texts, and in English when there is none', async () => {
    for (const [accepted, language] of [
      ['ru-RU,ru;q=0.9,en;q=0.8', 'ru-RU'],
      ['sv-SE, sv;q=0.9, zh-HK;q=0.8', 'zh-HK'],
      ['sv-SE, sv;q=0.9', 'en'],
      ['', 'en'],
      ['*', 'en'],
      ['"><script>', 'en'],
      // a header of any length costs the same
      ['a-'.repeat(100) + ',de', 'en'],
    ] as const) {
      const text = await (await ask({ 'accept-language': accepted })).text();
      expect(text).to.include(`<html lang="${language}">`);
    }
  });
});

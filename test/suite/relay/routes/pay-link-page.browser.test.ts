/** The page of a pay link: the element under a strict policy, a preview, and the link's QR code. */
import { expect } from '@open-wc/testing';
import jsQR from 'jsqr';
import type { Asset } from '../../../../relay/routes/assets.js';
import { bearer, createWorld, type World } from '../../support/world.js';

const shop = {
  name: '<b>Bean</b> & Leaf',
  origins: ['https://shop.example'],
  logo_url: 'https://shop.example/logo.png',
};
const sale = {
  amount: '12.50',
  currency: 'USD',
  product_name: '"><script>alert(1)</script>',
  customer_ref_id: 'c-1',
  expires_in: 60,
};

type Link = { pay_link_id: string; url: string; qr_url: string };

const makeLink = async (world: World): Promise<Link> =>
  (await world.ask('/v1/pay-links', sale, bearer)).body as unknown as Link;
/** Requests a page as a proxy does that removes the path of public_url. */
const open = (world: World, url: string, headers: Record<string, string> = {}): Promise<Response> =>
  world.relay.fetch(new Request(url.replace('/pay/', '/'), { headers }));
const asset = (text: string): Asset => ({
  type: 'application/json',
  body: new TextEncoder().encode(text),
  immutable: false,
  etag: '"1"',
});
const parse = async (response: Response): Promise<Document> =>
  new DOMParser().parseFromString(await response.text(), 'text/html');

describe('the page of a pay link', () => {
  it('shows the element with the link’s token, and has no other script', async () => {
    const world = createWorld({ config: { shop } });
    const link = await makeLink(world);
    const response = await open(world, link.url);
    expect(response.status).to.equal(200);
    const page = await parse(response);
    const element = page.querySelector('body > pay-checkout');
    expect(element?.getAttribute('order-token')).to.equal(link.url.split('/p/')[1]);
    expect([...page.scripts].map((script) => script.getAttribute('src'))).to.deep.equal([
      '../pay-checkout.js',
    ]);
    expect(page.querySelector('[style], style, base')).to.equal(null);
    expect(response.headers.get('content-security-policy')).to.include("script-src 'self';");
    expect(response.headers.get('content-security-policy')).to.include("style-src 'self' 'sha256-");
    expect(response.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(response.headers.get('cache-control')).to.equal('no-store');
  });

  it('says what to pay to a browser that runs no script, in its language', async () => {
    const german = { 'locales/de.json': { problem_reload: 'Bitte neu laden.', support: 'Hilfe' } };
    const assets = new Map(
      Object.entries(german).map(([name, texts]) => [name, asset(JSON.stringify(texts))]),
    );
    const support_url = 'https://shop.example/help?a=1&b=2';
    const world = createWorld({ config: { shop: { ...shop, support_url } }, assets });
    const link = await makeLink(world);
    const page = await parse(await open(world, link.url, { 'accept-language': 'de-AT,en' }));
    const words = page.querySelector('pay-checkout')?.textContent?.replace(/\s+/g, ' ');
    expect(words).to.include('12,50').and.to.include(sale.product_name);
    expect(words).to.include('Bitte neu laden.').and.to.include('Hilfe');
    expect(page.querySelector('pay-checkout a')?.getAttribute('href')).to.equal(support_url);
    expect(page.querySelector('pay-checkout')?.getAttribute('support-url')).to.equal(support_url);
    expect(page.querySelector('header')?.textContent).to.equal(shop.name);
    expect(page.querySelector('body img')).to.equal(null);
  });

  for (const made of ['en-us-oem', 'zh-cn-cn', 'zh-hans-cn-hk, en'])
    it(`shows a pay link to a browser that accepts ${made}`, async () => {
      const world = createWorld({ config: { shop } });
      const link = await makeLink(world);
      const page = await parse(await open(world, link.url, { 'accept-language': made }));
      expect(page.querySelector('pay-checkout')?.textContent).to.include(sale.product_name);
    });

  it('writes escaped preview tags into the page of a pay link', async () => {
    const world = createWorld({ config: { shop } });
    const link = await makeLink(world);
    const page = await parse(await open(world, link.url));
    const tag = (name: string): string | null | undefined =>
      page.querySelector(`meta[property="og:${name}"]`)?.getAttribute('content');
    expect(tag('title')).to.equal(sale.product_name);
    expect(tag('site_name')).to.equal(shop.name);
    expect(tag('description')).to.equal('12.50 USD');
    expect(tag('url')).to.equal(link.url);
    expect(tag('image')).to.equal(shop.logo_url);
    expect(page.title).to.equal(`${sale.product_name} – ${shop.name}`);
  });

  it('answers 404 to an unknown and 410 to a revoked link, without a product', async () => {
    const world = createWorld({ config: { shop } });
    const link = await makeLink(world);
    const { pay_link_id } = link;
    await world.ask('/v1/pay-links/revoke', { pay_link_id }, bearer);
    for (const [url, status] of [
      [link.url, 410],
      [`https://shop.example/pay/p/${'a'.repeat(26)}`, 404],
      ['https://shop.example/pay/p/%22%3E%3Cscript%3E', 404],
    ] as const) {
      const response = await open(world, url);
      expect(response.status, url).to.equal(status);
      const page = await parse(response);
      expect(page.querySelector('pay-checkout')).not.to.equal(null);
      expect(page.querySelector('meta[property]')).to.equal(null);
      expect(page.documentElement.outerHTML).not.to.include('12.50');
      expect(page.scripts.length).to.equal(1);
      expect(page.querySelector('h1')?.textContent, url).to.equal('This link does not work');
    }
  });

  it('serves a QR code that contains the address of the link', async () => {
    const world = createWorld({ config: { shop } });
    const link = await makeLink(world);
    const response = await open(world, link.qr_url);
    expect(response.headers.get('content-type')).to.equal('image/svg+xml');
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([await response.text()], { type: 'image/svg+xml' }));
    image.width = 400;
    await image.decode();
    const canvas = new OffscreenCanvas(400, 400);
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0, 400, 400);
    const pixels = context?.getImageData(0, 0, 400, 400);
    expect(pixels && jsQR(pixels.data, 400, 400)?.data).to.equal(link.url);
    expect((await open(world, 'https://shop.example/pay/p/nobody/qr.svg')).status).to.equal(404);
  });
});

/** Links, QR codes, amounts and texts: a mistake in one of them can cost the customer money. */
import { expect, fixture } from '@open-wc/testing';
import jsQR from 'jsqr';
import { draw } from '../../../../widget/fragments/qr-drawing.js';
import { smallQr } from '../../../../widget/fragments/qr.js';
import type { ViewContext } from '../../../../widget/fragments/view-context.js';
import { paymentUri, isSafeLink } from '../../../../widget/fragments/external-link.js';
import { labelIn } from '../../../../widget/texts/label.js';
import { formatAsset, formatMoney } from '../../../../widget/texts/money.js';
import { problemTexts } from '../../../../widget/views/problem-texts.js';
import { createTexts } from '../../../../widget/texts/texts.js';
import { failureStatuses, type FailureCode } from '../../../../relay/contract/failure.js';
import { en } from '../../../../widget/texts/en.js';

describe('isSafeLink', () => {
  for (const link of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:x',
    'data:text/html,x',
    'http://pay.example',
    'evil://x',
    '/x',
    '',
  ])
    it(`refuses the link ${JSON.stringify(link)}`, () =>
      expect(isSafeLink(link, ['sberpay'])).to.equal(false));
  for (const scheme of [
    'javascript',
    'JavaScript',
    'data',
    'vbscript',
    'blob',
    'file',
    'filesystem',
    'about',
    'view-source',
    'intent',
    'android-app',
    'content',
    'ws',
    'wss',
    'ftp',
    'chrome',
    'chrome-extension',
    'moz-extension',
    'edge',
    'ms-msdt',
    ...['x-safari-https', 'googlechrome', 'microsoft-edge', 'search-ms', 'shell', 'itms-services'],
    'http',
  ])
    it(`refuses ${scheme}: links when the answer allows them`, () => {
      const allowed = [scheme, scheme.toLowerCase()];
      for (const link of [`${scheme}:alert(1)`, `${scheme}://x/y`, `\t${scheme}:\n//x`])
        expect(isSafeLink(link, allowed), link).to.equal(false);
    });
  for (const link of ['https://pay.example/x', 'http://localhost:1/x', 'sberpay://x'])
    it(`accepts the link ${link}`, () => expect(isSafeLink(link, ['sberpay'])).to.equal(true));
});

describe('paymentUri', () => {
  it('accepts only payment URIs that the relay builds', () => {
    const accepted = [
      'bitcoin:bc1q',
      'ripple:r1?dt=0',
      'web+stellar:pay?destination=G',
      'solana:x',
    ];
    for (const uri of accepted) expect(paymentUri(uri)).to.equal(uri);
    for (const uri of [
      'javascript:alert(1)',
      ' bitcoin:x',
      'https://x.example',
      'web+evil:x',
      'bitcoinx:y',
      'data:,bitcoin:',
      '',
      undefined,
    ])
      expect(paymentUri(uri)).to.equal(undefined);
  });
});

describe('smallQr', () => {
  const svgOf = async (text: string): Promise<SVGSVGElement> =>
    (
      await fixture(
        smallQr({ maxQrPx: 198, draw } as ViewContext, text, 'x') as Parameters<typeof fixture>[0],
      )
    ).querySelector('svg')!;
  const read = async (text: string): Promise<string | undefined> => {
    const svg = await svgOf(text);
    const size = 8 * Number(svg.getAttribute('viewBox')?.split(' ')[2]);
    svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    svg.setAttribute('width', String(size));
    svg.setAttribute('height', String(size));
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(svg.outerHTML)}`;
    await image.decode();
    const canvas = new OffscreenCanvas(size, size);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, size, size);
    return jsQR(data, size, size)?.data;
  };
  for (const text of [
    'A',
    '00020101021226',
    'https://qr.example/?a=1&b=2',
    'Привет, мир',
    '漢字かな',
    '😀',
    'x'.repeat(900),
  ])
    it(`draws a QR code that a decoder reads as ${text.slice(0, 24)}`, async () =>
      expect(await read(text)).to.equal(text));

  it('draws a quiet zone of 4 modules around a QR code', async () => {
    const svg = await svgOf('quiet');
    const size = Number(svg.getAttribute('viewBox')?.split(' ')[2]);
    const box = svg.querySelectorAll('path')[1]!.getBBox();
    expect([box.x, box.y, size - box.x - box.width, size - box.y - box.height]).to.deep.equal([
      4, 4, 4, 4,
    ]);
  });

  it('draws no QR code when the text is too long', () =>
    expect(smallQr({ maxQrPx: 198, draw } as ViewContext, 'x'.repeat(2401), 'x')).to.equal(null));
});

describe('formatAsset', () => {
  for (const ticker of ['MNT', 'BOB', 'PEN', 'GEL', 'BTC'])
    it(`writes no sign of a nation for ${ticker}`, () =>
      expect(formatAsset('1.5', ticker, 'en')).to.equal(`1.5\u00a0${ticker}`));
});

describe('formatMoney', () => {
  for (const [amount, currency, locale, shown] of [
    ['12.5', 'USD', 'en', '$12.50'],
    ['1380.25', 'RUB', 'en', '₽1,380.25'],
    ['1380.25', 'CAD', 'en', 'CA$1,380.25'],
    ['5', 'SEK', 'en', 'SEK 5.00'],
    ['1000', 'JPY', 'en', '¥1,000'],
    ['999999999999999999.99', 'USD', 'en', '$999,999,999,999,999,999.99'],
    ['0.000000000000000001', 'USDT', 'en', '0.000000000000000001 USDT'],
    ['12.5', 'EUR', 'de', '12,50 €'],
    ['0.00012300', 'BTC', 'en', '0.00012300 BTC'],
    ['12', 'TON', 'en', '12 TON'],
    ['48.5', 'USD', 'he', '\u2068\u200f48.50 \u200f\u2066$\u2069\u2069'],
    ['1234.5600', 'USDT', 'de', '1.234,5600 USDT'],
    ['1000', 'JPY', 'ja', '￥1,000'],
  ] as const)
    it(`formats ${amount} ${currency} in ${locale}`, () =>
      expect(formatMoney(amount, currency, locale).replaceAll('\u00a0', ' ')).to.equal(shown));

  it('paints the number before the name of an asset inside an Arabic sentence', () => {
    const sentence = document.createElement('p');
    sentence.dir = 'rtl';
    sentence.textContent = `\u0627\u062f\u0641\u0639 ${formatMoney('1.12', 'ETH', 'ar')}`;
    document.body.append(sentence);
    const text = sentence.firstChild!;
    const leftOf = (letter: RegExp): number => {
      const range = document.createRange();
      range.setStart(text, sentence.textContent.search(letter));
      range.setEnd(text, range.startOffset + 1);
      return range.getBoundingClientRect().left;
    };
    // engines differ in the digits of Arabic
    expect(leftOf(/\p{Nd}/u)).to.be.lessThan(leftOf(/E/));
    sentence.remove();
  });
});

describe('texts', () => {
  it('finds a sentence for every failure code', () => {
    for (const code of Object.keys(failureStatuses) as FailureCode[])
      expect(en[problemTexts({ code }).sentence]).to.be.a('string');
  });
  it('leads back to the last order only while that order can be paid', () => {
    const code = 'too_many_replacements';
    for (const outcome of [undefined, 'pending', 'confirming', 'unmapped', 'review'])
      expect(problemTexts({ code, outcome }).way).to.equal('back');
    for (const outcome of ['expired', 'failed']) {
      const { mayBePaid, sentence, way } = problemTexts({ code, outcome });
      expect([sentence, way, mayBePaid]).to.deep.equal(['problem_token', 'anew', true]);
    }
  });
  it('ignores names of inherited methods as codes, languages and placeholders', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'valueOf']) {
      expect(problemTexts({ code: name as FailureCode }).sentence).to.equal('problem_other');
      expect(labelIn({ de: 'Karte' }, [name])).to.equal('Karte');
      expect(createTexts({}, { pay: `{${name}}` })('pay')).to.equal(`{${name}}`);
      expect(formatMoney('1.50', name, 'en')).to.include(name);
    }
  });
});

/** Small things that customers lose money by: links, QR codes, amounts, attempts. */
import { expect, fixture } from '@open-wc/testing';
import jsQR from 'jsqr';
import { createAttempts } from '../../widget/page/attempts.js';
import { digest } from '../../widget/page/digest.js';
import { qrCode } from '../../widget/fragments/qr.js';
import type { ViewContext } from '../../widget/fragments/view-context.js';
import { paymentUri, safeLink } from '../../widget/fragments/external-link.js';
import { formatMoney } from '../../widget/texts/money.js';
import { labelIn } from '../../widget/texts/label.js';
import { createTexts, problemText } from '../../widget/texts/texts.js';
import { failureStatuses, type FailureCode } from '../../relay/contract/failure.js';
import { en } from '../../widget/texts/en.js';

describe('safeLink', () => {
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
    it(`refuses ${JSON.stringify(link)}`, () =>
      expect(safeLink(link, ['sberpay'])).to.equal(false));
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
    'http',
  ])
    it(`refuses ${scheme}: though the answer allows it`, () => {
      const allowed = [scheme, scheme.toLowerCase()];
      for (const link of [`${scheme}:alert(1)`, `${scheme}://x/y`, `\t${scheme}:\n//x`])
        expect(safeLink(link, allowed), link).to.equal(false);
    });
  for (const link of ['https://pay.example/x', 'http://localhost:1/x', 'sberpay://x'])
    it(`takes ${link}`, () => expect(safeLink(link, ['sberpay'])).to.equal(true));
});

describe('paymentUri', () => {
  it('takes what the relay builds, and nothing else', () => {
    const taken = ['bitcoin:bc1q', 'ripple:r1?dt=0', 'web+stellar:pay?destination=G', 'solana:x'];
    for (const uri of taken) expect(paymentUri(uri)).to.equal(uri);
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

describe('qrCode', () => {
  const drawn = async (text: string): Promise<SVGSVGElement> =>
    (
      await fixture(
        qrCode({ room: 198 } as ViewContext, text, 'x') as Parameters<typeof fixture>[0],
      )
    ).querySelector('svg')!;
  const read = async (text: string): Promise<string | undefined> => {
    const svg = await drawn(text);
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
    it(`draws ${text.slice(0, 24)} so that it is read back`, async () =>
      expect(await read(text)).to.equal(text));

  it('keeps a quiet zone of 4 modules', async () => {
    const svg = await drawn('quiet');
    const size = Number(svg.getAttribute('viewBox')?.split(' ')[2]);
    const box = svg.querySelectorAll('path')[1]!.getBBox();
    expect([box.x, box.y, size - box.x - box.width, size - box.y - box.height]).to.deep.equal([
      4, 4, 4, 4,
    ]);
  });

  it('is nothing when the text is too long', () =>
    expect(qrCode({ room: 198 } as ViewContext, 'x'.repeat(2401), 'x')).to.equal(null));
});

describe('formatMoney', () => {
  for (const [amount, currency, locale, shown] of [
    ['12.5', 'USD', 'en', '$12.50'],
    ['1380.25', 'RUB', 'en', 'RUB 1,380.25'],
    ['1000', 'JPY', 'en', '¥1,000'],
    ['999999999999999999.99', 'USD', 'en', '$999,999,999,999,999,999.99'],
    ['0.000000000000000001', 'USDT', 'en', '0.000000000000000001 USDT'],
    ['12.5', 'EUR', 'de', '12,50 €'],
    ['0.00012300', 'BTC', 'en', 'BTC 0.000123'],
    ['1234.5600', 'USDT', 'de', '1.234,5600 USDT'],
    ['1000', 'JPY', 'ja', '￥1,000'],
  ] as const)
    it(`${amount} ${currency} in ${locale}`, () =>
      expect(formatMoney(amount, currency, locale).replaceAll('\u00a0', ' ')).to.equal(shown));
});

describe('texts', () => {
  it('every failure code has a sentence', () => {
    for (const code of Object.keys(failureStatuses) as FailureCode[])
      expect(en[problemText({ code })]).to.be.a('string');
  });
  it('the name of an inherited function is no code, no language and no placeholder', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'valueOf']) {
      expect(problemText({ code: name as FailureCode })).to.equal('problem_other');
      expect(labelIn({ de: 'Karte' }, name)).to.equal('Karte');
      expect(createTexts({}, { pay: `{${name}}` })('pay')).to.equal(`{${name}}`);
      expect(formatMoney('1.50', name, 'en')).to.contain(name);
    }
  });
});

describe('attempts', () => {
  const store = (): Storage => {
    const values = new Map<string, string>();
    return {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => values.set(key, value),
      removeItem: (key: string) => values.delete(key),
    } as unknown as Storage;
  };
  const SKU = 'https://shop.example/pay {"intent":{"sku":"tee","customer_ref_id":"anna"}}';
  const NOW = Date.parse('2026-11-21T12:00:00Z');
  const attemptAt = (at: number, attempt: unknown = '7d0a2c1e-5b7f-4c7e-9d55-2f8f0a6c3b11') =>
    JSON.stringify({ attempt, at });
  /** A storage whose keys can be listed, as a browser's. */
  const listed = (values: Record<string, string>): Storage =>
    Object.defineProperties(values, {
      getItem: { value: (key: string) => values[key] ?? null },
      setItem: { value: (key: string, value: string) => void (values[key] = value) },
      removeItem: { value: (key: string) => delete values[key] },
    }) as unknown as Storage;
  const attempts = (
    values: Record<string, string>,
    name = SKU,
  ): ReturnType<typeof createAttempts> => {
    const storage = listed(values);
    return createAttempts(
      name,
      () => storage,
      () => NOW,
    );
  };

  it('are kept under a digest that holds nothing readable', () => {
    const values = {};
    attempts(values).current();
    expect(Object.keys(values).join()).to.match(/^pay-checkout:[0-9a-f]{32}$/);
    expect(JSON.stringify(values)).not.to.match(/tee|anna|shop/);
    expect(digest(SKU)).to.match(/^[0-9a-f]{32}$/);
    const others = ['', 'a', 'b', 'ab', 'ba', `${SKU} `, SKU.replace('anna', 'annb'), SKU];
    expect(new Set(others.map(digest)).size).to.equal(others.length);
  });
  for (const [what, kept] of Object.entries({
    'no UUID': attemptAt(NOW, 'jti-of-the-shop'),
    'a UUID with more behind it': attemptAt(NOW, '7d0a2c1e-5b7f-4c7e-9d55-2f8f0a6c3b11x'),
    'of no text': attemptAt(NOW, 7),
    'from the future': attemptAt(NOW + 3_600_000),
    'older than 24 hours': attemptAt(NOW - 86_400_001),
    'without a time': '{"attempt":"7d0a2c1e-5b7f-4c7e-9d55-2f8f0a6c3b11"}',
    'no JSON': 'x',
  }))
    it(`drops a stored attempt that is ${what}`, () => {
      const values = { [`pay-checkout:${digest(SKU)}`]: kept };
      const fresh = attempts(values);
      expect(Object.keys(values)).to.deep.equal([]);
      expect(fresh.current()).to.match(/^[0-9a-f-]{36}$/);
      expect(kept).not.to.contain(fresh.current());
      expect(fresh.isEarlier()).to.equal(false);
    });
  it('sweep what is over, and leave the keys of the shop and the last choice', () => {
    const fresh = attemptAt(NOW - 1000);
    const values: Record<string, string> = {
      [`pay-checkout:${digest('another')}`]: fresh,
      [`pay-checkout:${digest('old')}`]: attemptAt(NOW - 90_000_000),
      'pay-checkout:https://shop.example/pay {"intent":{"order_token":"ey.ey.s"}}': attemptAt(0),
      'pay-checkout:choice': 'card',
      'shop:basket': 'tee',
    };
    attempts(values);
    expect(values).to.deep.equal({
      [`pay-checkout:${digest('another')}`]: fresh,
      'pay-checkout:choice': 'card',
      'shop:basket': 'tee',
    });
  });
  it('of an earlier version go on under their digest, and their readable key goes', () => {
    const values: Record<string, string> = { [`pay-checkout:${SKU}`]: attemptAt(NOW - 1000) };
    const earlier = attempts(values);
    expect(Object.keys(values)).to.deep.equal([`pay-checkout:${digest(SKU)}`]);
    expect(earlier.current()).to.equal('7d0a2c1e-5b7f-4c7e-9d55-2f8f0a6c3b11');
    expect(earlier.isEarlier()).to.equal(true);
  });

  it('are shared between tabs, kept by reloads, and end after 24 hours', () => {
    const shared = store();
    let now = 0;
    const first = createAttempts(
      'i',
      () => shared,
      () => now,
    ).current();
    expect(
      createAttempts(
        'i',
        () => shared,
        () => now,
      ).current(),
    ).to.equal(first);
    expect(
      createAttempts(
        'other',
        () => shared,
        () => now,
      ).current(),
    ).not.to.equal(first);
    now = 24 * 3600 * 1000 + 1;
    expect(
      createAttempts(
        'i',
        () => shared,
        () => now,
      ).current(),
    ).not.to.equal(first);
  });
  it('live without a storage, and with a broken one', () => {
    const denied = {
      getItem: () => {
        throw new Error('denied');
      },
      setItem: () => {
        throw new Error('denied');
      },
      removeItem: () => {
        throw new Error('denied');
      },
    };
    const none = (): never => {
      throw new Error('no storage');
    };
    for (const broken of [none, () => denied]) {
      const attempts = createAttempts('i', broken);
      const first = attempts.current();
      expect(attempts.current()).to.equal(first);
      attempts.forget();
      expect(attempts.current()).not.to.equal(first);
    }
  });
});

/** The attempts of a purchase in the browser's storage. */
import { expect } from '@open-wc/testing';
import { createAttempts } from '../../../../widget/browser/attempts.js';
import { digest } from '../../../../widget/browser/digest.js';

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
  /** A storage whose keys are listed by `Object.keys`, like `localStorage`. */
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

  it('stores an attempt under a digest without readable data of the purchase', () => {
    const values = {};
    attempts(values).current();
    expect(Object.keys(values).join()).to.match(/^pay-checkout:[0-9a-f]{32}$/);
    expect(JSON.stringify(values)).not.to.match(/tee|anna|shop/);
    expect(digest(SKU)).to.match(/^[0-9a-f]{32}$/);
    const others = ['', 'a', 'b', 'ab', 'ba', `${SKU} `, SKU.replace('anna', 'annb'), SKU];
    expect(new Set(others.map(digest)).size).to.equal(others.length);
  });
  for (const [what, kept] of Object.entries({
    'not a UUID': attemptAt(NOW, 'jti-of-the-shop'),
    'a UUID followed by another character': attemptAt(NOW, '7d0a2c1e-5b7f-4c7e-9d55-2f8f0a6c3b11x'),
    'not a string': attemptAt(NOW, 7),
    'from the future': attemptAt(NOW + 3_600_000),
    'older than 24 hours': attemptAt(NOW - 86_400_001),
    'without a time': '{"attempt":"7d0a2c1e-5b7f-4c7e-9d55-2f8f0a6c3b11"}',
    'not JSON': 'x',
  }))
    it(`drops a stored attempt that is ${what}`, () => {
      const values = { [`pay-checkout:${digest(SKU)}`]: kept };
      const fresh = attempts(values);
      expect(Object.keys(values)).to.deep.equal([]);
      expect(fresh.current()).to.match(/^[0-9a-f-]{36}$/);
      expect(kept).not.to.include(fresh.current());
      expect(fresh.isEarlier()).to.equal(false);
    });
  it('removes expired and broken entries, and keeps the last choices and keys of the shop', () => {
    const fresh = attemptAt(NOW - 1000);
    const values: Record<string, string> = {
      [`pay-checkout:${digest('another')}`]: fresh,
      [`pay-checkout:${digest('old')}`]: attemptAt(NOW - 90_000_000),
      [`pay-checkout:${digest('broken')}`]: 'not JSON',
      'pay-checkout:choice': `${NOW} card`,
      'pay-checkout:wallet': `${NOW} Birch Bank`,
      'pay-checkout:old': `${NOW - 90_000_000} Birch Bank`,
      'shop:basket': 'tee',
    };
    attempts(values);
    expect(values).to.deep.equal({
      [`pay-checkout:${digest('another')}`]: fresh,
      'pay-checkout:choice': `${NOW} card`,
      'pay-checkout:wallet': `${NOW} Birch Bank`,
      'shop:basket': 'tee',
    });
  });

  it('makes an attempt without crypto.randomUUID, which a page without HTTPS lacks', () => {
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    try {
      const made = ['a', 'b'].map((name) => createAttempts(name).current());
      for (const attempt of made)
        expect(attempt).to.match(
          /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
        );
      expect(made[0]).to.not.equal(made[1]);
    } finally {
      Reflect.deleteProperty(crypto, 'randomUUID');
    }
  });

  it('shares an attempt between tabs and reloads for 24 hours', () => {
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
  it('keeps an attempt in memory when storage is missing or denied', () => {
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

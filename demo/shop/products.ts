/** What the shop sells. Prices are decimal strings, and the backend's alone. */
export type Product = {
  readonly sku: string;
  readonly name: string;
  readonly note: string;
  readonly price: string;
  readonly tone: string;
  readonly kind: 'bag' | 'tin' | 'cup' | 'pot';
};

export const CURRENCY = 'RUB';

export const products: readonly Product[] = [
  {
    sku: 'yirgacheffe',
    name: 'Yirgacheffe',
    note: 'Ethiopia, washed. Bergamot, apricot, honey. 250 g',
    price: '1190.00',
    tone: 'amber',
    kind: 'bag',
  },
  { sku: 'huila', name: 'Huila', note: 'Colombia, honey process. Cocoa, red apple. 250 g', price: '990.00', tone: 'rust', kind: 'bag' },
  {
    sku: 'house',
    name: 'House blend',
    note: 'For milk and for mornings. Hazelnut, toffee. 500 g',
    price: '1450.50',
    tone: 'ink',
    kind: 'bag',
  },
  {
    sku: 'sencha',
    name: 'Sencha',
    note: 'Kagoshima, first flush. Spring grass, sea air. 80 g',
    price: '860.00',
    tone: 'moss',
    kind: 'tin',
  },
  { sku: 'keemun', name: 'Keemun', note: 'Anhui. Malt, cocoa, a little smoke. 100 g', price: '740.00', tone: 'rust', kind: 'tin' },
  { sku: 'mint', name: 'Garden mint', note: 'Dried whole, no caffeine. 40 g', price: '390.25', tone: 'moss', kind: 'tin' },
  { sku: 'cup', name: 'Stoneware cup', note: 'Thrown by hand in Pskov. 220 ml', price: '1650.00', tone: 'sand', kind: 'cup' },
  { sku: 'pot', name: 'Glass pot', note: 'Borosilicate, with a steel sieve. 600 ml', price: '2300.00', tone: 'amber', kind: 'pot' },
];

export const findProduct = (sku: string): Product | undefined => products.find((product) => product.sku === sku);

/**
 * The shop's products, with prices as decimal strings. Pages only show them; the backend computes
 * the amount to pay.
 */
export type Product = {
  readonly sku: string;
  readonly name: string;
  readonly origin: string;
  readonly note: string;
  readonly size: string;
  readonly price: string;
  readonly tone: 'amber' | 'rust' | 'ink' | 'moss' | 'sand' | 'sea';
  readonly kind: 'bag' | 'tin' | 'cup' | 'pot';
  readonly motif: 'sun' | 'peaks' | 'bean' | 'wave' | 'leaf' | 'sprig';
};

export const CURRENCY = 'RUB';
/** The largest quantity of one product in one order. */
export const MAX_QUANTITY = 20;

export const products: readonly Product[] = [
  {
    sku: 'yirgacheffe',
    name: 'Yirgacheffe',
    origin: 'Ethiopia, washed',
    note: 'Bergamot, apricot, honey.',
    size: '250 g',
    price: '1190.00',
    tone: 'amber',
    kind: 'bag',
    motif: 'sun',
  },
  {
    sku: 'huila',
    name: 'Huila',
    origin: 'Colombia, honey process',
    note: 'Cocoa, red apple, cane sugar.',
    size: '250 g',
    price: '990.00',
    tone: 'rust',
    kind: 'bag',
    motif: 'peaks',
  },
  {
    sku: 'house',
    name: 'House blend',
    origin: 'Brazil and Peru',
    note: 'For milk and for mornings. Hazelnut, toffee.',
    size: '500 g',
    price: '1450.50',
    tone: 'ink',
    kind: 'bag',
    motif: 'bean',
  },
  {
    sku: 'cup',
    name: 'Stoneware cup',
    origin: 'Thrown in Pskov',
    note: 'Glazed inside, bare outside. No two alike.',
    size: '220 ml',
    price: '1650.00',
    tone: 'sand',
    kind: 'cup',
    motif: 'bean',
  },
  {
    sku: 'sencha',
    name: 'Sencha',
    origin: 'Kagoshima, first flush',
    note: 'Spring grass, sea air.',
    size: '80 g',
    price: '860.00',
    tone: 'moss',
    kind: 'tin',
    motif: 'wave',
  },
  {
    sku: 'keemun',
    name: 'Keemun',
    origin: 'Anhui, spring picking',
    note: 'Malt, cocoa, a little smoke.',
    size: '100 g',
    price: '740.00',
    tone: 'rust',
    kind: 'tin',
    motif: 'leaf',
  },
  {
    sku: 'mint',
    name: 'Garden mint',
    origin: 'Altai, dried whole',
    note: 'Cool and clear. No caffeine.',
    size: '40 g',
    price: '390.25',
    tone: 'sea',
    kind: 'tin',
    motif: 'sprig',
  },
  {
    sku: 'pot',
    name: 'Glass pot',
    origin: 'Borosilicate, steel sieve',
    note: 'Three cups, and you see when it is ready.',
    size: '600 ml',
    price: '2300.00',
    tone: 'amber',
    kind: 'pot',
    motif: 'leaf',
  },
];

export const findProduct = (sku: string): Product | undefined =>
  products.find((product) => product.sku === sku);

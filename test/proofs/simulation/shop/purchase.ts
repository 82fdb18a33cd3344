/** What a customer wants to buy: named by a token that the shop signs, or by the page. */
import type { Random } from '../chance.js';
import type { Purchase } from '../checker/facts.js';
import {
  CURRENCY,
  MAX_QUANTITY,
  METADATA_MARK,
  PRODUCTS,
  type ShopSetup,
} from '../machine/shop-config.js';
import type { CustomerPlan } from '../plan.js';
import { EPOCH } from '../time/virtual-globals.js';
import { signToken } from './token.js';

const price = (random: Random): string =>
  `${random.between(1, 400)}.${String(random.whole(100)).padStart(2, '0')}`;

/** The share of customers without a token whom the page does not name. */
const GUEST_PART = 0.33;
/** The share of tokens with metadata. */
const METADATA_PART = 0.5;

export function newPurchase(
  { id, mode, shop }: CustomerPlan,
  setup: ShopSetup,
  random: Random,
  now: number,
): Purchase {
  const common = {
    id,
    shop,
    mode,
    beganAt: now,
    attempt: random.uuid(),
    currency: CURRENCY,
    shown: new Set<string>(),
    touched: new Set<never>(),
  };
  if (mode === 'catalogue') {
    const sku = random.pick(['tee', 'mug']);
    const quantity = random.between(1, MAX_QUANTITY);
    const {
      amount,
      metadata = null,
      product_name: name,
    } = PRODUCTS[sku] ?? { amount: '0', product_name: '' };
    return {
      ...common,
      token: null,
      intentId: null,
      customerRefId: random.chance(GUEST_PART) ? null : id,
      amount: ((Math.round(Number(amount) * 100) * quantity) / 100).toFixed(2),
      productName: quantity === 1 ? name : `${name} × ${quantity}`,
      sku,
      quantity,
      metadata,
    };
  }
  const own = { ...common, amount: price(random), productName: `Order of ${id}` };
  const nameless = { sku: null, quantity: null };
  if (mode === 'open') {
    const customerRefId = random.chance(GUEST_PART) ? null : id;
    return { ...own, ...nameless, token: null, intentId: null, customerRefId, metadata: null };
  }
  const metadata = random.chance(METADATA_PART) ? metadataOf(id) : null;
  const jti = `intent-${shop}-${id}`;
  const claims = {
    jti,
    amount: own.amount,
    currency: CURRENCY,
    product_name: own.productName,
    customer_ref_id: id,
    ...(metadata !== null && { metadata }),
  };
  const token = signToken(setup, claims, EPOCH + now);
  return { ...own, ...nameless, token, intentId: jti, customerRefId: id, metadata };
}

const metadataOf = (id: string): Purchase['metadata'] => ({
  cart: `${id}, ${METADATA_MARK}`,
  größe: 'M “lang”',
});

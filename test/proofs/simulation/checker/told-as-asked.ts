/** What a shop or a page is told of an order equals what its own intent asked for. */
import type { Invariant } from './invariant.js';
import type { BookOrder } from '../service/book.js';
import type { PageOrder, Purchase, ShopOrder } from './facts.js';
import { isPlain } from './success-is-told.js';

const isSameAmount = (a: string, b: string): boolean => Number(a) === Number(b);
/** Metadata as text; the keys may come in another sequence. */
const textOf = (metadata: Purchase['metadata']): string =>
  JSON.stringify(metadata && Object.entries(metadata).sort());

/** The fields that a relay knows when its ledger lost an order and the intent was closed later. */
const ECHOED = ['mode', 'amount', 'currency'];

/**
 * @param compared the fields to compare; all when absent
 * @returns the first field that differs
 */
function differingField(
  purchase: Purchase,
  told: ShopOrder,
  compared?: readonly string[],
): string | null {
  const name = purchase.customerRefId;
  const customer = purchase.mode === 'token' ? name : `web-${name}`;
  const fields: readonly [string, boolean][] = [
    ['mode', told.mode === purchase.mode],
    ['amount', isSameAmount(told.amount, purchase.amount)],
    ['currency', told.currency === purchase.currency],
    ['product_name', told.product_name === purchase.productName],
    ['customer_ref_id', name === null || told.customer_ref_id === customer],
    ['sku', (told.sku ?? null) === purchase.sku],
    ['quantity', (told.quantity ?? null) === purchase.quantity],
    ['metadata', textOf(told.metadata ?? null) === textOf(purchase.metadata)],
  ];
  const wrong = fields.find(
    ([field, equal]) => !equal && (compared === undefined || compared.includes(field)),
  );
  return wrong?.[0] ?? null;
}

/** Refusals that are wrong here, because no customer or shop changes an intent or a token. */
const REFUSALS = ['intent_conflict', 'not_as_expected', 'token_contradicted', 'token_invalid'];

export const toldAsAsked: Invariant = {
  name: 'told as asked',
  begin: ({ fail, known, tried }) => {
    /** Orders that a ledger lost. */
    const lost = new Set<string>();
    const isEchoedWell = (requestId: string): boolean => known.book(requestId).every(isPlain);
    const comparedOf = (told: ShopOrder): readonly string[] | undefined => {
      const { closed_at, product_name, request_id } = told;
      if (product_name !== '' || closed_at === undefined || !lost.has(request_id)) return undefined;
      return isEchoedWell(request_id) ? ECHOED : [];
    };
    /** An echo that the shop is told was in an answer of the service about this order. */
    const checkEchoes = ({ echoed_amount, echoed_currency, request_id }: ShopOrder): void => {
      const orders = known.book(request_id);
      const wasEchoed = (told: string | undefined, inBook: (order: BookOrder) => Set<string>) =>
        told === undefined ||
        orders.some((order) =>
          [...inBook(order)].some((text) => text === told || isSameAmount(text, told)),
        );
      if (!wasEchoed(echoed_amount, ({ echoed }) => echoed.amounts))
        fail(`the service never told the amount ${echoed_amount} of ${request_id}`);
      if (!wasEchoed(echoed_currency, ({ echoed }) => echoed.currencies))
        fail(`the service never told the currency ${echoed_currency} of ${request_id}`);
    };
    const checkShop = (shop: string, told: ShopOrder): void => {
      checkEchoes(told);
      const purchase = known.purchaseOfIntent(told.intent_id);
      const owner = known.purchaseOfRequest(told.request_id);
      tried(purchase);
      if (!purchase) {
        // the page was never answered, so its intent is unknown: only the order can be compared
        const field = owner ? differingField(owner, told, comparedOf(told)) : null;
        if (field !== null) fail(`${shop} was told of ${told.request_id} with another ${field}`);
        return;
      }
      if (purchase.shop !== shop) fail(`${shop} was told of ${told.intent_id} of ${purchase.shop}`);
      if (owner && owner !== purchase)
        fail(`${told.request_id} of ${owner.id} was told as one of ${purchase.id}`);
      const field = differingField(purchase, told, comparedOf(told));
      if (field !== null) fail(`${shop} was told another ${field} of ${told.intent_id}`);
    };
    const checkPage = (purchase: Purchase, told: PageOrder): void => {
      tried(purchase);
      if (purchase.intentId !== null && told.intent_id !== purchase.intentId)
        fail(`${purchase.id} asked for ${purchase.intentId} and was shown ${told.intent_id}`);
      const owner = known.purchaseOfRequest(told.request_id);
      if (owner && owner !== purchase)
        fail(`${purchase.id} was shown ${told.request_id} of ${owner.id}`);
      if (told.closed && lost.has(told.request_id) && !isEchoedWell(told.request_id)) return;
      if (!isSameAmount(told.amount, purchase.amount) || told.currency !== purchase.currency)
        fail(`${purchase.id} was shown another price: ${told.amount} ${told.currency}`);
    };
    return {
      on: (fact) => {
        if (fact.kind === 'restored') for (const requestId of fact.lost) lost.add(requestId);
        if (fact.kind === 'delivery') checkShop(fact.shop, fact.delivery.data);
        if (fact.kind === 'backend_told') checkShop(fact.shop, fact.order);
        if (fact.kind === 'page_told') checkPage(fact.purchase, fact.order);
        if (fact.kind === 'metadata_leaked') fail(`metadata was told to ${fact.to}`);
        if (fact.kind === 'stranger_told') fail(`a stranger was told ${fact.what}`);
        if (fact.kind === 'stranger_refused') tried(fact.purchase);
        if (fact.kind === 'page_refused' && REFUSALS.includes(fact.code))
          fail(`${fact.purchase.id} was told ${fact.code}`);
      },
    };
  },
};

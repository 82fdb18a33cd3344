/**
 * Erases a customer's data: from intents and their lookups, from events, pay links and deposit
 * addresses. What was paid, when, and by which order stays, because the shop must account for it.
 */
import { z } from 'zod';
import { payLinkTerms } from '../contract/pay-links.js';
import type { Ledger } from '../ledger/ledger.js';
import type { PayLinkRow } from '../ledger/pay-link-ledger.js';
import type { ShopEventRow } from '../ledger/rows.js';
import { isOver, type Intent } from '../ledger/intent.js';
import { ERASED, erasing } from '../ledger/rules.js';
import { payBackReason } from '../ledger/shown-order.js';
import type { Context } from '../orders/context.js';
import { isLinkOver } from '../pay-links/pay-link.js';
import { everyRow } from './paging.js';
import { Refusal } from './refusal.js';
import type { erasedShape } from './shapes.js';
import { placeOfLink } from './links.js';
import { eventsOf } from './show.js';

type EraseContext = Pick<Context, 'config' | 'ledger' | 'ledgerClock'>;

const ROWS_PER_READ = 200;
/** Reasons that a refusal names; there may be thousands. */
const MAX_NAMED = 20;

/**
 * A crash in the middle leaves the lookup of the customer, so a second call finishes the work.
 *
 * @throws Refusal when an order of the customer may still be paid, an event is undelivered, or a
 *   link is open; it lists them
 * @throws Refusal when the ledger has nothing of the customer
 * @param onStep is told how many intents are erased so far
 */
export async function erase(
  { config, ledger, ledgerClock }: EraseContext,
  customerRefId: string,
  by: string,
  onStep: (intents: number) => void = () => {},
): Promise<z.infer<typeof erasedShape>> {
  const links = await linksOf(ledger, customerRefId);
  const open = links.filter((link) => !isLinkOver(link, ledgerClock.latestNow()));
  const reasons = open.map(({ pay_link_id }) => `the pay link ${pay_link_id} is open: revoke it`);
  const pay_back: string[] = [];
  for await (const intent of intentsOf(ledger, customerRefId)) {
    reasons.push(...openOrders(intent));
    for (const order of intent.orders)
      if (payBackReason(config, { intent, order }) !== null) pay_back.push(order.request_id);
    if (config.shop_events)
      reasons.push(
        ...(await eventsOf(ledger, intent.intent_id)).filter(isAwaited).map(undelivered),
      );
    if (reasons.length > MAX_NAMED) break;
  }
  if (reasons.length > 0)
    throw new Refusal(
      `nothing was erased:\n${reasons
        .slice(0, MAX_NAMED)
        .map((line) => `  ${line}`)
        .join('\n')}`,
    );
  const erased = await eraseAll(
    { config, ledger, ledgerClock },
    { by, customerRefId, links, onStep },
  );
  return { ...erased, pay_back };
}

type Erasing = {
  readonly by: string;
  readonly customerRefId: string;
  readonly links: readonly PayLinkRow[];
  onStep(intents: number): void;
};

async function eraseAll(
  { config, ledger, ledgerClock }: EraseContext,
  { by, customerRefId, links, onStep }: Erasing,
): Promise<Omit<z.infer<typeof erasedShape>, 'pay_back'>> {
  const erased = { intents: 0, events: 0 };
  // the customer may begin another purchase meanwhile, which must stay findable until it is over
  let ids: string[];
  let isKnown = links.length > 0;
  do {
    ids = [];
    for await (const { intent_id } of intentsOf(ledger, customerRefId)) {
      const at = ledgerClock.now();
      const { intent } = await ledger.change(intent_id, erasing({ at, by }));
      if (!intent || intent.erased_at === null)
        throw new Refusal(`the intent ${intent_id} changed meanwhile: try again`);
      onStep(++erased.intents);
      for (const event of await eventsOf(ledger, intent_id)) {
        const { body, erased_at, event_id } = event;
        if (erased_at !== null) continue;
        // an order was paid since the first look, and the shop must learn of it
        const hasReceiver = Boolean(config.shop_events);
        if (!(await ledger.eraseEvent(event_id, withoutCustomer(body), at, hasReceiver)))
          throw new Refusal(`${undelivered(event)}: erase again once it is delivered`);
        erased.events++;
      }
      ids.push(intent_id);
    }
    const isForgotten = await ledger.forgetCustomer(customerRefId, ids);
    isKnown ||= isForgotten || ids.length > 0;
  } while (ids.length > 0);
  if (!isKnown) throw new Refusal(`the ledger knows no customer ${customerRefId}`);
  for (const { pay_link_id, terms } of links)
    await ledger.eraseLink(pay_link_id, linkWithoutCustomer(terms), { at: ledgerClock.now(), by });
  return { customer_ref_id: customerRefId, ...erased, links: links.length };
}

const intentsOf = (ledger: Ledger, customerRefId: string): AsyncGenerator<Intent> =>
  everyRow(ROWS_PER_READ, (last) =>
    ledger.intentsOfCustomer(customerRefId, last?.intent_id ?? '', ROWS_PER_READ),
  );

/** No index finds the links of a customer, and there are far fewer links than orders. */
async function linksOf(ledger: Ledger, customerRefId: string): Promise<PayLinkRow[]> {
  const found: PayLinkRow[] = [];
  const all = everyRow<PayLinkRow>(ROWS_PER_READ, (last) =>
    ledger.walkPayLinks(last ? placeOfLink(last) : null, ROWS_PER_READ),
  );
  // the customer of a link that is erased is called `erased`, as a real one may be
  for await (const link of all)
    if (link.erased_at === null && customerOf(link.terms) === customerRefId) found.push(link);
  return found;
}

const customerOf = (terms: string): string => payLinkTerms.parse(JSON.parse(terms)).customer_ref_id;

const openOrders = (intent: Intent): string[] =>
  intent.orders
    .filter((order) => !isOver({ ...intent, orders: [order] }))
    .map(({ outcome, request_id }) => `the order ${request_id} may still change: it is ${outcome}`);

const isAwaited = ({ delivered_at, next_try_at, tries }: ShopEventRow): boolean =>
  next_try_at !== null || (delivered_at === null && tries > 0);

const undelivered = ({ delivered_at, event_id, intent_id, type }: ShopEventRow): string =>
  `the event ${event_id} (${type}) of ${intent_id} is ` +
  (delivered_at === null ? 'undelivered' : 'being delivered again');

const eventBody = z.looseObject({ data: z.looseObject({}) });

/** The fields of an event that say who bought what. The event keeps its ids and its amounts. */
function withoutCustomer(body: string): string {
  const { data, ...rest } = eventBody.parse(JSON.parse(body));
  const { metadata: _metadata, resume_url: _url, sku: _sku, ...kept } = data;
  const marks = { customer_ref_id: ERASED, product_name: ERASED };
  return JSON.stringify({ ...rest, data: { ...kept, ...marks } });
}

function linkWithoutCustomer(terms: string): string {
  const {
    metadata: _metadata,
    remark: _remark,
    return_url: _url,
    ...kept
  } = payLinkTerms.parse(JSON.parse(terms));
  return JSON.stringify({ ...kept, customer_ref_id: ERASED, product_name: ERASED });
}

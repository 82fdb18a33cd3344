/** A shop's backend asks the relay about orders, closes intents, and reads what it missed. */
import { z } from 'zod';
import type { Random } from '../chance.js';
import type { Checker } from '../checker/checker.js';
import { shopEvent, shopOrder, type Purchase } from '../checker/facts.js';
import type { Deployment } from '../machine/deployment.js';
import type { ShopSetup } from '../machine/shop-config.js';
import type { Scheduler } from '../time/scheduler.js';
import { EPOCH } from '../time/virtual-globals.js';
import type { Books, Cursor } from './books.js';

export type Backend = {
  /**
   * Asks about an order or an intent, again until the relay answers or all tries are used up.
   *
   * @returns whether the relay knows the order or intent; null when it gave no usable answer
   */
  ask(
    named: { intent_id: string } | { request_id: string },
    expect?: Purchase,
  ): Promise<boolean | null>;
  /** Closes an intent; tries again until the relay answers or all tries are used up. */
  close(intentId: string): Promise<boolean>;
  /** Closes the same intents again: a restored ledger lacks the closes since its backup. */
  closeAgain(): Promise<void>;
  /** Reads all events and orders since the cursors in the shop's database. */
  reconcile(): Promise<void>;
  /** Has the last delivered event sent again, or sometimes all events of the last minutes. */
  resend(): Promise<void>;
};

const answer = z.object({ order: shopOrder, orders: z.array(shopOrder) });
const failure = z.object({ error: z.object({ code: z.string(), field: z.string().optional() }) });
const closed = z.object({ closed_at: z.string() });
const page = { cursor: z.string(), more: z.boolean(), reset: z.literal(true).optional() };
const eventPage = z.object({
  ...page,
  events: z.array(shopEvent.extend({ id: z.string(), delivered_at: z.string().nullable() })),
});
const orderPage = z.object({ ...page, orders: z.array(shopOrder) });
const resent = z.object({ resent: z.number() });

const MAX_TRIES = 8;
const PAUSE_MS = 5000;
const RESEND_SINCE_MS = 3 * 60_000;
/** The share of resends that name all events of some minutes instead of one event. */
const RESEND_MANY_PART = 0.2;

/** An answer of the relay: the parsed body, or the code of a refusal. */
type Told<T> = { told: T } | { code: string; field?: string | undefined };

export function createBackend(deps: {
  setup: ShopSetup;
  deployment: Deployment;
  scheduler: Scheduler;
  random: Random;
  checker: Checker;
  books: Books;
}): Backend {
  const { books, checker, deployment, random, scheduler, setup } = deps;
  const shop = setup.name;
  const closedIntents = new Set<string>();
  let lastDelivered: string | null = null;

  /** @returns null when no answer came */
  const call = async <T>(
    path: string,
    body: object,
    schema: z.ZodType<T>,
  ): Promise<Told<T> | null> => {
    const text = JSON.stringify(body);
    const request = new Request(`${setup.origin}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(text.length),
        authorization: `Bearer ${setup.secretKey}`,
      },
      body: text,
    });
    const reached = await deployment.ask(request, random);
    if (typeof reached === 'string') return null;
    const told = schema.safeParse(reached.body);
    if (told.success) return { told: told.data };
    const refused = failure.safeParse(reached.body);
    return refused.success ? refused.data.error : null;
  };

  /** Calls until `judge` knows what the answer means, or patience ends. */
  const callPatiently = async <T, R>(
    once: () => Promise<Told<T> | null>,
    judge: (told: Told<T>) => R | undefined,
  ): Promise<R | null> => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const told = await once();
      const result = told === null ? undefined : judge(told);
      if (result !== undefined) return result;
      await scheduler.sleep(PAUSE_MS);
    }
    return null;
  };

  const close = async (intentId: string): Promise<boolean> => {
    checker.tell({ kind: 'closing', shop, intentId });
    const body = { intent_id: intentId, reason: 'sold out' };
    const result = await callPatiently(
      () => call('/v1/close', body, closed),
      (told) => {
        if ('told' in told) return 'closed' as const;
        return told.code === 'already_paid' ? ('close_refused' as const) : undefined;
      },
    );
    if (result === null) return false;
    if (result === 'closed') closedIntents.add(intentId);
    else closedIntents.delete(intentId);
    checker.tell({ kind: result, shop, intentId });
    return result === 'closed';
  };

  /** Reads a list page by page until it has no more. */
  const readAll = async <T extends { cursor: string; more: boolean }>(
    path: string,
    at: () => Cursor | null,
    schema: z.ZodType<T>,
    note: (read: T, sent: Cursor | null, askedAt: number) => void,
  ): Promise<void> => {
    for (let more: boolean | null = true; more;) {
      const sent = at();
      const askedAt = scheduler.now();
      const body = sent === null ? {} : { cursor: sent.text };
      more = await callPatiently(
        () => call(path, body, schema),
        (told) => {
          if (!('told' in told)) return undefined;
          // the database was restored while this page was under way
          if (at() !== sent) return false;
          note(told.told, sent, askedAt);
          return told.told.more;
        },
      );
    }
  };

  const readEvents = (): Promise<void> =>
    readAll(
      '/v1/events',
      () => books.data.events,
      eventPage,
      ({ cursor, events, reset }, sent, askedAt) => {
        if (reset) books.beginAnew();
        checker.tell({
          kind: 'listed',
          shop,
          askedAt,
          walk: books.walk(),
          cursorFrom: sent?.from ?? null,
          isReset: reset === true,
          events,
        });
        lastDelivered = events.findLast((each) => each.delivered_at !== null)?.id ?? lastDelivered;
        books.noteEvents(events, { text: cursor, from: scheduler.now() });
      },
    );
  const readOrders = (): Promise<void> =>
    readAll(
      '/v1/orders',
      () => books.data.orders,
      orderPage,
      ({ cursor, orders }) => books.noteOrders(orders, { text: cursor, from: scheduler.now() }),
    );

  return {
    ask: async (named, expect) => {
      let expected = expect && { amount: expect.amount, currency: expect.currency };
      let askedAt = 0;
      return callPatiently(
        () => {
          askedAt = scheduler.now();
          return call('/v1/query', { ...named, ...(expected && { expect: expected }) }, answer);
        },
        (told) => {
          const intentId = expect?.intentId;
          if ('told' in told) {
            for (const order of told.told.orders)
              checker.tell({ kind: 'backend_told', shop, order, askedAt });
            if (expected && intentId)
              checker.tell({ kind: 'expected', shop, intentId, askedAt, wasToldClosed: false });
            return true;
          }
          if (told.code === 'order_unknown') return false;
          const isClosed = told.code === 'intent_closed';
          const isResolvedAsFailed = told.field === 'resolved_as';
          if (told.code === 'not_as_expected' && !isResolvedAsFailed && expect)
            checker.tell({ kind: 'page_refused', purchase: expect, code: told.code });
          if (isClosed && intentId)
            checker.tell({ kind: 'expected', shop, intentId, askedAt, wasToldClosed: true });
          // the shop does not deliver; it asks again without a price, to read the orders
          if (isClosed || isResolvedAsFailed) expected = undefined;
          return undefined;
        },
      );
    },
    close,
    closeAgain: async () => {
      for (const intentId of closedIntents) await close(intentId);
    },
    reconcile: async () => {
      await readEvents();
      await readOrders();
    },
    resend: async () => {
      const eventId = random.chance(RESEND_MANY_PART) ? null : lastDelivered;
      const since = new Date(EPOCH + scheduler.now() - RESEND_SINCE_MS).toISOString();
      const body = eventId === null ? { since } : { event_id: eventId };
      const fact = { kind: 'resent', shop, eventId, askedAt: scheduler.now() } as const;
      // when no answer comes, nobody knows whether the relay sends the events again
      checker.tell({ ...fact, isSure: false });
      // the relay refuses to resend an event that its restored ledger lacks
      const told = await call('/v1/events/resend', body, resent);
      if (told && 'told' in told) checker.tell({ ...fact, isSure: true });
    },
  };
}

/**
 * Finds orders that the ledger lost when it was restored from a backup, by asking the service.
 *
 * For a while (restored-at.ts) the relay asks the service about each new order before it places it.
 * An order that the service knows is adopted: it is written to the ledger and polled, and nothing
 * is sent for it.
 */
import { Failure } from '../../contract/failure.js';
import type { Intent } from '../../ledger/intent.js';
import { isWritten } from '../../ledger/ledger.js';
import { LedgerBusyError } from '../../ledger/ledger-errors.js';
import type { OrderRow } from '../../ledger/rows.js';
import { addingLost, claiming, replacing, type Claim } from '../../ledger/rules.js';
import { OrderServiceError } from '../../order-service/errors.js';
import { isNotFound } from '../ask-status.js';
import type { Context } from '../context.js';
import { MAX_WAIT_S } from '../../contract/paths.js';
import { MAX_ORDERS } from '../order-limits.js';
import { createLostIntents, type LostIntents } from './lost-intents.js';
import { adopted, successorOf, type Lost } from './lost-order.js';
import { mayLackOrders, readRestoredAt, type RestoredAt } from './restored-at.js';
import type { ServiceOrder } from '../order-event.js';
import type { OrderStore } from '../order-store.js';
import type { PayOrder } from '../send-pay.js';
import { MINUTE_MS } from '../../contract/durations.js';
import type { Clock } from '../../runtime.js';

/** Requests of pages cause at most one search for the lost orders of an intent in this time. */
const MIN_SEARCH_INTERVAL_MS = 30_000;
/** An order that was sent just before the restore may reach the service so much later. */
const MAX_ON_ITS_WAY_MS = MINUTE_MS;
/** By then each page that waits has asked once more. */
const MAX_AWAITED_MS = MAX_ON_ITS_WAY_MS + MIN_SEARCH_INTERVAL_MS + MAX_WAIT_S * 1000;
/** A search of one intent adds at most forty. */
const MAX_ABSENT = 100_000;

/**
 * Each function but `refresh` asks the service whether it knows an order.
 *
 * All throw Failure `service_unavailable` when the service gives no usable answer.
 */
export type Restored = {
  /**
   * Asks about an order that the ledger does not have yet, and about its replacements: the service
   * may have received a replacement although it never received the first order.
   *
   * @param madeAt when the intent or its pay link was made, whichever is older
   * @returns the intent with the orders that the service knows; null when it knows none, so that
   *   the order may be placed
   */
  adopt(claim: Claim, madeAt: number): Promise<Intent | null>;
  /** Does what `adopt` does, for an order that was never sent according to the ledger. */
  adoptUnsent(unsent: OrderRow): Promise<Intent | null>;
  /**
   * Asks about each order that may have replaced the intent's last one and that the ledger lost.
   * For a paid or closed intent it does not throw when the service gives no answer, because such an
   * intent takes no more orders.
   *
   * @returns whether the ledger's orders of the intent changed
   */
  adoptSuccessors(intentId: string): Promise<boolean>;
  /** Calls `adoptSuccessors` before a page sees the order, at most once in 30 s per intent. */
  adoptBeforeShown(intentId: string): Promise<void>;
  /**
   * Asks about an order when the ledger lacks both the order and its intent. The order cannot be
   * adopted before its customer returns, and the answer "no such order" would be wrong.
   *
   * @throws Failure `service_unavailable` when the service knows it
   */
  refuseLost(requestId: string, intentId?: string): Promise<void>;
  /** Does what `refuseLost` does, for each order that the intent may have had. */
  refuseLostIntent(intentId: string): Promise<void>;
  /**
   * Whether the service knows any order of a link's intent. `admit` throws if the page may not ask.
   *
   * @param madeAt when the link was made
   */
  knowsIntent(intentId: string, madeAt: number, admit: () => Promise<void>): Promise<boolean>;
  /** The epoch of the ledger, to be read before the functions above ask. */
  epoch(): Promise<string | null>;
  /**
   * A claim that is refused when the ledger was restored since `epoch` was read: the ledger may
   * lack the order, and the service would get it twice. Its rule then throws LedgerBusyError.
   */
  unlessRestored(claim: PayOrder['claim'], epoch: string | null): PayOrder['claim'];
  /** Whether the service is asked before an order is shown or placed. */
  asksFirst(): Promise<boolean>;
  /** Whether lost orders may still reach the service, so that a page must ask again each time. */
  isAwaiting(): Promise<boolean>;
  /** Does what LostIntents does. A ledger that was not restored has lost no order. */
  closeLost: LostIntents['close'];
  /** Reads from the ledger again whether it was restored. */
  refresh(): Promise<void>;
};

export function createRestored(context: Context, store: OrderStore): Restored {
  const { clock, config, identity, ledger, log, service, ledgerClock } = context;
  /** Null when the ledger was not restored; undefined until it is read. */
  let restoredAt: RestoredAt | null | undefined;
  /** The epoch of the ledger as of `restoredAt`; a restore gives the ledger another one. */
  let readEpoch: string | null = null;
  /**
   * Orders that the service did not know after the restore. No relay sends an order that the ledger
   * lacks, so this stays true. A search asks about twenty orders: without it each search after a
   * lost answer would ask about all of them again, and often lose another answer.
   */
  const absent = new Set<string>();
  const refresh = async (): Promise<void> => {
    const before = restoredAt?.created_at;
    // first: a restore between the two reads then refuses one claim too many, and not one too few
    const epoch = await ledger.setting('epoch');
    const at = await readRestoredAt(context);
    // together: a claim of the new epoch must not pass while the time of the restore is unknown
    readEpoch = epoch;
    restoredAt = at;
    if (restoredAt?.created_at !== before) absent.clear();
  };
  const sinceRestoreMs = (): number => (restoredAt && ledgerClock.ageOf(restoredAt)) ?? 0;
  /** @param madeAt of the intent or its link; absent when neither is known */
  const isActive = async (madeAt = 0): Promise<boolean> => {
    if (restoredAt === undefined) await refresh();
    return !!restoredAt && mayLackOrders(context, restoredAt, madeAt);
  };

  const ask = async (request_id: string): Promise<ServiceOrder | null> => {
    try {
      return await service.queryOrder({ request_id });
    } catch (error) {
      if (!(error instanceof OrderServiceError)) throw error;
      if (isNotFound(config, error)) return null;
      throw new Failure(
        'service_unavailable',
        'the order service does not say whether it knows the order, or a later one that the ' +
          'restored ledger may lack; nothing was changed',
      );
    }
  };

  /** Asks about an order that a search looks for, and that is not about to be sent. */
  const askUnlessAbsent = async (request_id: string): Promise<ServiceOrder | null> => {
    if (absent.has(request_id)) return null;
    const isSettled = sinceRestoreMs() >= MAX_ON_ITS_WAY_MS;
    const answer = await ask(request_id);
    if (absent.size >= MAX_ABSENT) absent.clear();
    if (answer === null && isSettled) absent.add(request_id);
    return answer;
  };

  const refuseLost = async (request_id: string, intent_id: string | null = null): Promise<void> => {
    if (!(await isActive()) || (await askUnlessAbsent(request_id)) === null) return;
    const message = 'the ledger was restored and lacks an order that the order service knows';
    log('error', 'restored', { intent_id, request_id, message });
    throw new Failure('service_unavailable', `${message}; it is found when its customer returns`);
  };

  const applyAnswer = async (order: OrderRow, answer: ServiceOrder): Promise<Intent> => {
    const event = { type: 'query_answered', at: ledgerClock.now(), knownAt: null, answer } as const;
    return (await store.apply(order, event)).intent;
  };
  const lostIntents = createLostIntents(context, { ask: askUnlessAbsent, applyAnswer });

  /** Finds the replacements of `last` that the service knows; their ordinals may have gaps. */
  const lostAfter = async (
    { intent_id, mode }: Pick<Intent, 'intent_id' | 'mode'>,
    last: OrderRow,
  ): Promise<Lost[]> => {
    const findLost = async (ordinal: number): Promise<Lost | null> => {
      const request_id = await identity.requestId(mode, intent_id, ordinal);
      const answer = await askUnlessAbsent(request_id);
      const order = successorOf(last, { request_id, ordinal, ...ledgerClock.stamp() });
      return answer && { answer, order };
    };
    const next = last.ordinal + 1;
    const ordinals = Array.from({ length: MAX_ORDERS - last.ordinal }, (_, i) => next + i);
    const found = await Promise.all(ordinals.map(findLost));
    return found.filter((lost) => lost !== null);
  };
  /**
   * Claims all orders before it applies their answers: a paid intent takes no further order. The
   * service has these orders already, so no pay link stops them: the intent takes its use even
   * above the link's `uses`.
   */
  const adoptAll = async (
    { after, intent }: Omit<Claim, 'order'>,
    lost: readonly Lost[],
  ): Promise<Intent | null> => {
    let stored: Intent | null = null;
    let last = after;
    const claimed: Lost[] = [];
    for (const { answer, order } of lost) {
      const at = ledgerClock.now();
      const claim = { intent, order: adopted(order, at), after: last };
      const changed = await ledger.change(intent.intent_id, claiming(claim, at));
      stored = changed.intent;
      // another relay has claimed since
      if (changed.result !== 'written') break;
      claimed.push({ answer, order });
      last = order.request_id;
    }
    for (const { answer, order } of claimed) stored = await applyAnswer(order, answer);
    return stored;
  };

  const adoptUnsent = async (unsent: OrderRow): Promise<Intent | null> => {
    if (!(await isActive(unsent.created_at))) return null;
    const answer = await ask(unsent.request_id);
    if (answer === null) return null;
    const at = ledgerClock.now();
    const row = adopted({ ...unsent, version: unsent.version + 1 }, at);
    const changed = await ledger.change(unsent.intent_id, replacing(unsent)(row, at));
    // else another relay has claimed the order since, and the answer to its pay decides
    return isWritten(changed) ? applyAnswer(unsent, answer) : changed.intent;
  };

  /** Writes lost replacements of an intent that takes no more orders. */
  const addLostAfter = async (intent: Intent, last: OrderRow): Promise<boolean> => {
    const lost = await lostAfter(intent, last);
    for (const { answer, order } of lost) {
      const at = ledgerClock.now();
      const rule = addingLost(adopted(order, at), at);
      if (isWritten(await ledger.change(intent.intent_id, rule))) await applyAnswer(order, answer);
    }
    return lost.length > 0;
  };
  /**
   * Finds and polls the lost orders of an intent that takes no more orders, so that the shop learns
   * of their payments. Without an answer of the service it logs a warning and returns false.
   */
  const addLost = async (intent: Intent, last: OrderRow | undefined): Promise<boolean> => {
    try {
      return await (last ? addLostAfter(intent, last) : lostIntents.follow(intent));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log('warn', 'restored', { intent_id: intent.intent_id, message: error.message });
      return false;
    }
  };

  const adoptSuccessors = async (intentId: string): Promise<boolean> => {
    if (!(await isActive())) return false;
    const intent = await ledger.intent(intentId);
    const last = intent?.orders.at(-1);
    if (!intent || !(await isActive(intent.created_at))) return false;
    if (intent.paid_request_id !== null || intent.closed_at !== null) return addLost(intent, last);
    if (!last) return false;
    const lost = await lostAfter(intent, last);
    await adoptAll({ intent, after: last.request_id }, lost);
    let changed = lost.length > 0;
    for (const order of intent.orders)
      if (order.sending === 'unsent' && (await adoptUnsent(order)) !== null) changed = true;
    return changed;
  };

  return {
    refresh,
    epoch: async () => {
      if (restoredAt === undefined) await refresh();
      return readEpoch;
    },
    unlessRestored: (claim, known) => (order, at) => (intent, epoch) => {
      if (epoch === known) return claim(order, at)(intent, epoch);
      // the next try reads it again
      restoredAt = undefined;
      throw new LedgerBusyError('the ledger was restored meanwhile');
    },
    asksFirst: () => isActive(),
    isAwaiting: async () => (await isActive()) && sinceRestoreMs() < MAX_AWAITED_MS,
    adopt: async ({ order, ...claim }, madeAt) => {
      if (!(await isActive(madeAt))) return null;
      const [answer, later] = await Promise.all([
        ask(order.request_id),
        lostAfter(claim.intent, order),
      ]);
      return adoptAll(claim, answer === null ? later : [{ answer, order }, ...later]);
    },
    adoptUnsent,
    adoptSuccessors,
    adoptBeforeShown: throttleByKey(adoptSuccessors, MIN_SEARCH_INTERVAL_MS, clock),
    refuseLost,
    refuseLostIntent: async (intentId) => {
      if (!(await isActive())) return;
      const possible = await lostIntents.possibleOrders(intentId);
      await Promise.all(possible.map(({ request_id }) => refuseLost(request_id, intentId)));
    },
    knowsIntent: async (intentId, madeAt, admit) => {
      if (!(await isActive(madeAt))) return false;
      await admit();
      const possible = await lostIntents.possibleOrders(intentId);
      const asked = possible.map(({ request_id }) => askUnlessAbsent(request_id));
      const answers = await Promise.all(asked);
      return answers.some((answer) => answer !== null);
    },
    closeLost: async (closed) => ((await isActive()) ? lostIntents.close(closed) : 'unknown'),
  };
}

/**
 * Runs `work` at most once in `pauseMs` for the same key; further calls share the result of the
 * first one. After a failure the next call runs it again.
 */
export function throttleByKey(
  work: (key: string) => Promise<unknown>,
  pauseMs: number,
  clock: Pick<Clock, 'elapsed'>,
): (key: string) => Promise<void> {
  /** The calls of the last `pauseMs`, by key, the oldest first. */
  const started = new Map<string, { at: number; result: Promise<unknown> }>();
  const forgetOld = (now: number): void => {
    for (const [key, { at }] of started) {
      if (now - at < pauseMs) return;
      started.delete(key);
    }
  };
  return async (key) => {
    const now = clock.elapsed();
    forgetOld(now);
    const known = started.get(key);
    const call = known ?? { at: now, result: work(key) };
    if (!known) started.set(key, call);
    try {
      await call.result;
    } catch (error) {
      if (started.get(key) === call) started.delete(key);
      throw error;
    }
  };
}

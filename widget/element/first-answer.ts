/**
 * The first answer of `checkout`, when the page has asked for it (begin.ts), or has it already: the
 * shop's backend wrote it as a child `<script type="application/json">`.
 */
import { readCheckout } from '../../relay/contract/read.js';
import type { IntentRequest } from '../../relay/contract/requests.js';
import type { CheckoutResponse } from '../../relay/contract/responses.js';
import type { StoredAttempts } from '../browser/attempts.js';
import { BEGUN } from '../browser/begun.js';
import { browserPage } from '../browser/page.js';
import type { State } from '../checkout/flow.js';
import { pause } from '../checkout/pause.js';
import { createRelayClient, RelayFailure, type RelayClient } from '../relay-client.js';
import { timing } from '../timing.js';
import type { Host } from './host.js';

type FirstPurchase = {
  attempts: StoredAttempts;
  /** Whether this is the first purchase of the element. */
  isFirst: boolean;
  relay: string;
};

/** @returns a client that answers the element's first `checkout` from the page where it can */
export function createClient(host: Host, { attempts, isFirst, relay }: FirstPurchase): RelayClient {
  const client = createRelayClient(relay, host.fetch);
  const firstAnswer = async (intent: IntentRequest): Promise<CheckoutResponse | null> => {
    // An attempt of an earlier visit may have an order, which only the relay knows.
    const isEarlier = attempts.isEarlier();
    try {
      const begun = host[BEGUN];
      // An order token names its order itself. That of a pay link does not; it has no full stop.
      const mayUse = !isEarlier || intent.order_token?.includes('.');
      if (begun?.relay === relay && isSame(JSON.parse(begun.intent), intent) && mayUse) {
        const response = await begun.response;
        if (response.ok) return readCheckout(await response.json());
      }
      const child = isEarlier ? {} : JSON.parse(childText(host));
      const answer = readCheckout(child.answer);
      // Foreign markup could contain an order with a foreign QR code: only the relay names orders.
      return answer.order || !isSame(child.intent, intent) ? null : answer;
    } catch {
      return null;
    }
  };
  return {
    ...client,
    checkout: async (intent, attempt, signal) => {
      const startedAt = timing.nowMs();
      const answer = isFirst && (await firstAnswer(intent));
      isFirst = false;
      // The customer has waited for the page's own request already. A device that slept meanwhile
      // still gives this one some seconds.
      for (let waitS = Math.max((startedAt - timing.nowMs()) / 1000, -10); ; waitS = 0) {
        signal.throwIfAborted();
        try {
          return answer || (await client.checkout(intent, attempt, signal, waitS));
        } catch (error) {
          const isPassing = error instanceof RelayFailure && PASSING.test(error.code);
          if (!isPassing || !keepsDeclared(host)) throw error;
        }
        await pause(browserPage, signal, REPEAT_MS);
      }
    },
  };
}

/** Failures that say nothing about the order. */
const PASSING = /^(relay|rate|ledger|service)_/;

/** Between two requests while the card that a server rendered stands in. */
const REPEAT_MS = 5000;

/**
 * Whether the order can be paid on the card that a server rendered, until its time is over. What
 * needs this script is hidden there from now on (server/styles.ts).
 */
export function keepsDeclared({ renderRoot }: Host): boolean {
  const card = renderRoot.querySelector('[data-payable]');
  const clock = card?.querySelector<HTMLElement>('.countdown');
  card?.classList.add('kept');
  return card !== null && !(Number(clock?.dataset.seconds) * 1000 <= performance.now());
}

/**
 * Removes the card that a server rendered once the relay says that its order is not to be paid any
 * more, or names another one. It would stay as long as there are no texts for a screen.
 */
export function dropOutdated({ renderRoot }: Host, flow: State): void {
  const card = renderRoot.querySelector<HTMLElement>('[data-payable]');
  // an older relay does not name the order of the card
  const isPayable =
    flow.phase === 'awaiting_payment' &&
    ['', flow.order.request_id].includes(card?.dataset.payable ?? '');
  if (('order' in flow || flow.phase === 'choosing') && !isPayable) card?.remove();
}

/** Whether the fields are the same, in whatever order a backend has written them. */
const isSame = (one: object, other: object): boolean => keyOf(one) === keyOf(other);
const keyOf = (intent: object): string => JSON.stringify(Object.entries(intent).sort());

const childText = (host: Host): string =>
  host.querySelector(':scope > script[type="application/json"]')?.textContent ?? '';

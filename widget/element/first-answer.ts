/**
 * The first answer of `checkout`, when the page has it already: the shop's backend wrote it as a
 * child `<script type="application/json">`.
 */
import { readCheckout } from '../../relay/contract/read.js';
import type { CheckoutResponse } from '../../relay/contract/responses.js';
import type { StoredAttempts } from '../browser/attempts.js';
import { createRelayClient, type RelayClient } from '../relay-client.js';
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
  return {
    ...client,
    checkout: async (intent, attempt, signal) => {
      // An attempt of an earlier visit may have an order, which only the relay knows.
      const mayUsePage = isFirst && !attempts.isEarlier();
      isFirst = false;
      const answer = mayUsePage && answerOnPage(host, JSON.stringify(intent));
      return answer || client.checkout(intent, attempt, signal);
    },
  };
}

/** @returns null when the page has no answer that can be used */
function answerOnPage(host: Host, intent: string): CheckoutResponse | null {
  try {
    const child = JSON.parse(childText(host));
    const answer = readCheckout(child.answer);
    // Foreign markup could contain an order with a foreign QR code: only the relay names orders.
    return answer.order || keyOf(child.intent) !== keyOf(JSON.parse(intent)) ? null : answer;
  } catch {
    return null;
  }
}

/** The same text for the same fields, in whatever order a backend has written them. */
const keyOf = (intent: object): string => JSON.stringify(Object.entries(intent).sort());

const childText = (host: Host): string =>
  host.querySelector(':scope > script[type="application/json"]')?.textContent ?? '';

/**
 * The first answer of `checkout`, when the page has it already: from pay-checkout-begin.js, or
 * written by the shop's backend as a child `<script type="application/json">`.
 */
import { readCheckout } from '../../relay/contract/read.js';
import type { CheckoutResponse } from '../../relay/contract/responses.js';
import type { StoredAttempts } from '../browser/attempts.js';
import { BEGUN } from '../browser/begun.js';
import { createRelayClient, type RelayClient } from '../relay-client.js';
import type { Host } from './host.js';

type First = {
  attempts: StoredAttempts;
  /** Whether this is the first purchase of the element. */
  isFirst: boolean;
  relay: string;
};

/** @returns a client that answers the element's first `checkout` from the page where it can */
export function createClient(host: Host, { attempts, isFirst, relay }: First): RelayClient {
  const client = createRelayClient(relay, host.fetch);
  return {
    ...client,
    checkout: async (intent, attempt, signal) => {
      // An attempt of an earlier visit may have an order.
      const isKnown = isFirst && !attempts.isEarlier();
      isFirst = false;
      const answer = isKnown && (await answerOf(host, relay, JSON.stringify(intent)));
      signal.throwIfAborted();
      return answer || client.checkout(intent, attempt, signal);
    },
  };
}

/** @returns null when the page has no answer that can be used */
async function answerOf(
  host: Host,
  relay: string,
  intent: string,
): Promise<CheckoutResponse | null> {
  try {
    const begun = host[BEGUN];
    if (begun?.relay === relay && begun.intent === intent) {
      const response = await begun.response;
      return response.ok ? readCheckout(await response.json()) : null;
    }
    const written = JSON.parse(writtenIn(host));
    const answer = readCheckout(written.answer);
    // Markup could show a code of its own: an order comes from the relay alone.
    return answer.order || keyOf(written.intent) !== keyOf(JSON.parse(intent)) ? null : answer;
  } catch {
    return null;
  }
}

/** The fields of an intent, in whatever order a backend has written them. */
const keyOf = (intent: object): string => JSON.stringify(Object.entries(intent).sort());

const writtenIn = (host: Host): string =>
  host.querySelector(':scope > script[type="application/json"]')?.textContent ?? '';

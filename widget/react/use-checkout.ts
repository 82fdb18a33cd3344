/** A React hook for the headless checkout: the shop renders each phase itself. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { createAttempts, purchaseName } from '../browser/attempts.js';
import { browserPage } from '../browser/page.js';
import { createCheckout, type Checkout, type Subject } from '../checkout/checkout.js';
import { isPaid, MAX_UNSET_MS, type State } from '../checkout/flow.js';
import { createRelayClient, pageFetch, type Fetch } from '../relay-client.js';

export type UseCheckoutOptions = {
  /** URL of the relay. */
  relay: string;
  /** What the checkout is about; null while the page lacks it, such as before it has a token. */
  subject: Subject | null;
  fetch?: Fetch | undefined;
};

/**
 * `state` is a union by `phase`. `blind`: the relay cannot be asked whether the order is paid. The
 * methods do nothing while there is no subject.
 */
export type UseCheckout = { state: State; blind: boolean } & Pick<
  Checkout,
  'choose' | 'chooseAgain' | 'backToOrder' | 'checkNow' | 'retry' | 'restart' | 'markReceived'
>;

/**
 * Runs one checkout, and starts another one when the relay or the subject changes. After a reload
 * the hook finds the order again. What is paid stays until there is another purchase, also while
 * the subject is null for up to five seconds; `restart` begins the same purchase once more.
 */
export function useCheckout({ fetch, relay, subject }: UseCheckoutOptions): UseCheckout {
  const [state, setState] = useState<State>({ phase: 'waiting' });
  const [blind, setBlind] = useState(false);
  const checkout = useRef<Checkout>(null);
  const sender = useRef(fetch);
  const hasFetch = fetch !== undefined;
  const name = subject && `${relay} ${purchaseName(subject)}`;
  /** Name of the purchase that is paid. */
  const paid = useRef<string>(null);
  const forget = (): void => {
    paid.current = null;
    setState({ phase: 'waiting' });
  };
  // an equal subject in a new object is the same purchase
  const key = subject && `${relay} ${JSON.stringify(subject)}`;

  // an inline function is another one at each render, and must not start another checkout
  useEffect(() => {
    sender.current = fetch;
  });

  useEffect(() => {
    if (!subject || key === null) {
      if (paid.current === null) return forget();
      const timer = setTimeout(forget, MAX_UNSET_MS);
      return () => clearTimeout(timer);
    }
    const running = createCheckout({
      client: createRelayClient(
        new URL(relay, location.href).href,
        hasFetch ? (url, init) => (sender.current ?? pageFetch)(url, init) : undefined,
      ),
      subject,
      attempts: createAttempts(purchaseName(subject)),
      page: browserPage,
      onState: (next) => {
        if (isPaid(next)) paid.current = name;
        else if (next.phase !== 'loading') paid.current = null;
        setState(next);
      },
      onBlind: setBlind,
    });
    checkout.current = running;
    if (paid.current !== name) running.start();
    return () => {
      running.stop();
      checkout.current = null;
    };
    // the key stands for relay and subject
  }, [key, hasFetch]);

  const methods = useMemo<Omit<UseCheckout, 'state' | 'blind'>>(
    () => ({
      choose: (option, customer) => checkout.current?.choose(option, customer),
      chooseAgain: () => checkout.current?.chooseAgain(),
      backToOrder: () => checkout.current?.backToOrder(),
      checkNow: async () => (await checkout.current?.checkNow()) ?? null,
      retry: () => checkout.current?.retry(),
      restart: () => (checkout.current ? checkout.current.restart() : forget()),
      markReceived: () => checkout.current?.markReceived(),
    }),
    [],
  );
  return { state, blind, ...methods };
}

/** Refuses a runtime on which the relay would start, and then lose the answers of the service. */

/**
 * Bun replaces undici by an imitation without the calls that the relay makes: each pay would end
 * without an answer, and stay in `confirming`.
 *
 * @throws Error
 */
export function refuseBun(runtime: object = globalThis): void {
  if ('Bun' in runtime)
    throw new Error(
      'Bun: its HTTP client does not tell whether a request was sent; run the relay with Node.js ' +
        'or Deno, or build it with createRelay and fetchSend of pay-checkout-relay',
    );
}

/**
 * Intents that this relay cannot read: they are damaged, or a newer relay wrote them before a
 * rollback. Work on many intents goes on without them.
 */
import type { Log } from '../runtime.js';

/** Is told of each intent that is left out; when it throws, the read fails. */
export type OnDamage = (intentId: string, error: unknown) => void;

export const failOnDamage: OnDamage = (_intentId, error) => {
  throw error;
};

/** Bound of the intents that are remembered. */
const MAX_REMEMBERED = 10_000;

/** Makes the function that logs each such intent once: the relay meets it at every tick. */
export function logDamage(log: Log): OnDamage {
  const logged = new Set<string>();
  return (intent_id, error) => {
    if (logged.has(intent_id)) return;
    if (logged.size === MAX_REMEMBERED) logged.clear();
    logged.add(intent_id);
    const message = error instanceof Error ? error.message : String(error);
    log('error', 'ledger', { intent_id, message });
  };
}

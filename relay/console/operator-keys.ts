/** The keys of the operator's listener, and who tries others. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { OPERATOR, type OperatorRole } from '../config/operator-field.js';
import type { Config } from '../config/schema.js';
import { MINUTE_MS } from '../contract/durations.js';
import { createUseCounter } from '../node/use-counter.js';
import type { Log } from '../runtime.js';

/** Who may sign in, by the name and the role of an operator key. */
export type Person = { readonly name: string; readonly role: OperatorRole };

/** Who has signed in by a key, or by a passkey. */
export type Operator = Person & {
  /** The digest of the key, so that a session ends when the key is replaced; null: by a passkey. */
  readonly key: string | null;
  /** The id of the passkey; null: by the key. */
  readonly passkey: string | null;
};

/** `wrong`: no key is so; `too_many`: the address has tried too many in the last minute. */
export type Refused = 'wrong' | 'too_many';

/** Who may use the listener at present; a reload of the configuration changes it. */
export type Access = Pick<
  NonNullable<Config['operator']>,
  'hosts' | 'key' | 'keys' | 'keys_always_open'
>;
export const noAccess: Access = { hosts: [], keys: [], keys_always_open: false };

export type OperatorKeys = {
  /** @param key null when the request has none, which is not counted */
  check(address: string, key: string | null): Operator | Refused;
  /** Whether somebody who has signed in still has the same name and role, and the same key. */
  isKnown(operator: Operator): boolean;
  /** @returns null when no key has this name */
  person(name: string): Person | null;
};

/** Wrong keys of one address that are told apart; more of them are answered with 429. */
const MAX_WRONG_PER_MINUTE = 5;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Wrong keys are counted for each address, and the first of a minute is logged, so that a program
 * that tries them is seen. A right key always opens: another program at its address must not keep
 * the operator out.
 */
export function createOperatorKeys(
  access: () => Access,
  { elapsed, log }: { elapsed: () => number; log: Log },
): OperatorKeys {
  const known = (): (Person & { readonly key: string })[] => {
    const { key, keys } = access();
    const single = key ? [{ name: OPERATOR, role: 'act' as const, key }] : [];
    return [...single, ...keys].map((each) => ({
      name: each.name,
      role: each.role,
      key: digest(each.key.reveal()).toString('base64'),
    }));
  };
  const wrongKeys = createUseCounter(MINUTE_MS, elapsed);
  return {
    check: (address, given) => {
      const givenDigest = digest(given ?? '');
      const found = known().filter(({ key }) =>
        timingSafeEqual(Buffer.from(key, 'base64'), givenDigest),
      );
      if (given !== null && found[0]) return { ...found[0], passkey: null };
      if (wrongKeys.count(address) >= MAX_WRONG_PER_MINUTE) return 'too_many';
      if (given !== null && wrongKeys.add(address) === 1)
        log('warn', 'console', { refused: 'wrong_key', address });
      return 'wrong';
    },
    isKnown: ({ key, name, role }) =>
      known().some(
        (each) => each.name === name && each.role === role && (key === null || each.key === key),
      ),
    person: (name) => {
      const found = known().find((each) => each.name === name);
      return found ? { name, role: found.role } : null;
    },
  };
}

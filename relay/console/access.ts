/** Who may sign in to the console: operator keys while they open it, and passkeys. */
import { z } from 'zod';
import { MINUTE_MS } from '../contract/durations.js';
import { isPageText } from '../contract/visible-text.js';
import { parseFields } from '../http/body.js';
import { Refusal } from '../operator/refusal.js';
import type { accessShape } from '../operator/shapes.js';
import { instant } from '../operator/operator-order.js';
import type { Log } from '../runtime.js';
import {
  readAccess,
  readCounter,
  writeAct,
  writeCounter,
  type AccessAct,
  type AccessLedger,
  type AccessState,
  type Decision,
  type Passkey,
} from './access-acts.js';
import { ConsoleError } from './console-error.js';
import type { Place } from './guard.js';
import type { Access, Operator, OperatorKeys } from './operator-keys.js';
import { newCredential, signedCredential, type WebAuthn } from './web-authn.js';

type AccessDeps = {
  readonly access: () => Access;
  readonly keys: OperatorKeys;
  readonly ledger: AccessLedger;
  readonly webAuthn: WebAuthn;
  readonly log: Log;
  readonly elapsed: () => number;
  /** The wall clock, in milliseconds. */
  readonly now: () => number;
};

/** Passkeys of persons who may act, before the keys may be switched off. */
const MIN_PASSKEYS = 2;

const added = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .refine(isPageText, { error: 'a text without invisible characters' }),
  credential: newCredential,
});
const removed = z.strictObject({ id: z.string().min(1).max(2048) });
const switched = z.strictObject({ off: z.boolean() });

/** What somebody sends who signs in by a passkey. */
export const passkeyProof = z.strictObject({ passkey: signedCredential });

type ShownAccess = z.infer<typeof accessShape>;
type Asked = { readonly given: unknown; readonly operator: Operator; readonly place: Place };

export type ConsoleAccess = {
  /** Whether somebody who has signed in may go on. */
  isOpenTo(operator: Operator): Promise<boolean>;
  /** @throws ConsoleError when nobody may sign in by a key */
  requireKeys(): Promise<void>;
  /** What a browser needs to sign in by a passkey. */
  challenge(place: Place): Promise<object>;
  /** @throws ConsoleError `passkey_refused`; the log has the reason */
  signIn(place: Place, credential: z.infer<typeof signedCredential>): Promise<Operator>;
  /** What a person may do about it in the console; each answers how it is then. */
  readonly verbs: Readonly<Record<string, (asked: Asked) => Promise<object>>>;
};

export function createAccess(deps: AccessDeps): ConsoleAccess {
  const { access, elapsed, keys, ledger, log, now, webAuthn } = deps;
  // so that nobody who floods the sign-in forgets the challenge of somebody who has signed in
  const signingIn = createChallenges(elapsed);
  const adding = createChallenges(elapsed);
  const areKeysOff = ({ keysOff }: AccessState): boolean => keysOff && !access().keys_always_open;
  const isUsable = ({ host, operator }: Passkey): boolean =>
    keys.person(operator) !== null && (host === 'localhost' || access().hosts.includes(host));
  const acting = ({ passkeys }: AccessState): Passkey[] =>
    passkeys.filter((each) => isUsable(each) && keys.person(each.operator)?.role === 'act');

  const write = async (by: Operator, decide: (state: AccessState) => Decision): Promise<void> => {
    const { what } = await writeAct(ledger, { by: by.name, at: now() }, decide);
    log('info', 'console', { access: what, by: by.name });
  };
  const refuse = (who: string, error: unknown): never => {
    if (error instanceof ConsoleError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    log('warn', 'console', { passkey_of: who, refused: reason });
    throw new ConsoleError(
      401,
      'passkey_refused',
      'This passkey was refused; the reason is in the log of the relay.',
    );
  };

  const shown = async ({ operator, place }: Asked): Promise<ShownAccess> => {
    const state = await readAccess(ledger);
    return {
      why_none: await webAuthn.whyNone(place),
      keys_off: state.keysOff,
      keys_always_open: access().keys_always_open,
      passkeys: state.passkeys.map((each) => ({
        id: each.id,
        name: each.name,
        operator: each.operator,
        host: each.host,
        added_at: instant(each.at),
        usable: isUsable(each),
        used_now: each.id === operator.passkey,
      })),
      acts: state.acts.map(shownAct).reverse(),
    };
  };

  return {
    isOpenTo: async (operator) => {
      if (!keys.isKnown(operator)) return false;
      const state = await readAccess(ledger);
      if (operator.passkey === null) return !areKeysOff(state);
      return state.passkeys.some(({ id }) => id === operator.passkey);
    },
    requireKeys: async () => {
      if (areKeysOff(await readAccess(ledger)))
        throw new ConsoleError(
          403,
          'keys_off',
          'The operator keys do not open the console any more. Sign in with a passkey.',
        );
    },
    challenge: async (place) => {
      const { passkeys } = await readAccess(ledger);
      // first, so that nobody who has no session makes the relay load the package for nothing
      if (!passkeys.some(({ host }) => host === place.name))
        throw new ConsoleError(
          409,
          'no_passkeys_here',
          `No passkey was added at ${place.name}. Sign in with a key, and add one under Access.`,
        );
      const options = await webAuthn.signInOptions(place);
      signingIn.add(place.name, options.challenge);
      return options;
    },
    signIn: async (place, credential) => {
      const { passkeys } = await readAccess(ledger);
      const found = passkeys.find(({ id }) => id === credential.id);
      const person = found && keys.person(found.operator);
      try {
        if (!found || !person) throw new Error(found ? 'no such operator' : 'no such passkey');
        const counter = await readCounter(ledger, found.id);
        const known = { id: found.id, publicKey: found.public_key, counter };
        const takes = (challenge: string): boolean => signingIn.take(place.name, challenge);
        const signed = await webAuthn.verifySigned(place, credential, takes, known);
        await writeCounter(ledger, found.id, signed);
        return { ...person, key: null, passkey: found.id };
      } catch (error) {
        return refuse(found?.operator ?? 'nobody', error);
      }
    },
    verbs: {
      'access/list': shown,
      'access/challenge': async ({ operator, place }) => {
        const { passkeys } = await readAccess(ledger);
        const own = passkeys.filter(
          (each) => each.operator === operator.name && each.host === place.name,
        );
        const ids = own.map(({ id }) => id);
        const options = await webAuthn.newOptions(place, operator.name, ids);
        adding.add(operator.name, options.challenge);
        return options;
      },
      'access/add': async (asked) => {
        const { operator, place } = asked;
        const { credential, name } = parseFields(added, asked.given);
        const takes = (challenge: string): boolean => adding.take(operator.name, challenge);
        const made = await webAuthn
          .verifyNew(place, credential, takes)
          .catch((error: unknown) => refuse(operator.name, error));
        const passkey = {
          id: made.id,
          public_key: made.publicKey,
          host: place.name,
          operator: operator.name,
          name,
        };
        await writeCounter(ledger, made.id, made.counter);
        await write(operator, ({ passkeys }) => {
          if (passkeys.some(({ id }) => id === made.id))
            throw new Refusal('This passkey has been added before.');
          return { what: 'passkey_added', passkey };
        });
        return shown(asked);
      },
      'access/remove': async (asked) => {
        const { operator } = asked;
        const { id } = parseFields(removed, asked.given);
        await write(operator, (state) => {
          const found = state.passkeys.find((each) => each.id === id);
          if (!found) throw new Refusal('This passkey is not there any more.');
          if (found.operator !== operator.name) requireActing(operator);
          const left = acting(state).filter((each) => each.id !== id);
          if (areKeysOff(state) && left.length === 0)
            throw new ConsoleError(
              409,
              'last_passkey',
              'Nobody who may act could sign in after that. Add another passkey first, or let ' +
                'the operator keys open the console again.',
            );
          return { what: 'passkey_removed', id, name: found.name };
        });
        return shown(asked);
      },
      'access/keys': async (asked) => {
        const { operator } = asked;
        const { off } = parseFields(switched, asked.given);
        requireActing(operator);
        await write(operator, (state) => {
          if (state.keysOff === off)
            throw new Refusal('Somebody has switched them in the meantime.');
          if (off) requireWayIn(operator, acting(state).length, access().keys_always_open);
          return { what: off ? 'keys_off' : 'keys_on' };
        });
        return shown(asked);
      },
    },
  };
}

function requireActing({ name, role }: Operator): void {
  if (role !== 'act')
    throw new ConsoleError(403, 'role_refused', `${name} may change nothing but own passkeys`);
}

/** Before the keys are switched off. Whoever does so has just shown that a passkey opens. */
function requireWayIn({ passkey }: Operator, acting: number, alwaysOpen: boolean): void {
  if (alwaysOpen)
    throw new Refusal('The configuration says operator.keys_always_open. Take it out first.');
  if (acting < MIN_PASSKEYS)
    throw new Refusal('Two passkeys of persons who may act must be there first: one may get lost.');
  if (passkey === null) throw new Refusal('Sign in with a passkey first, to see that it opens.');
}

const shownAct = ({ at, by, decision }: AccessAct): ShownAccess['acts'][number] => {
  const { name = null } = 'passkey' in decision ? decision.passkey : { name: null, ...decision };
  return { at: instant(at), by, what: decision.what, name };
};

const CHALLENGE_MS = 5 * MINUTE_MS;
/** More of them are a program's; the oldest is then forgotten. */
const MAX_OPEN = 10_000;

/** The challenges that this relay has given to browsers. Each is taken once. */
type Challenges = {
  /** @param purpose who may take it, and for what */
  add(purpose: string, challenge: string): void;
  /** @returns whether it was given for this purpose, within five minutes and not taken before */
  take(purpose: string, challenge: string): boolean;
};

function createChallenges(elapsed: () => number): Challenges {
  // in the order in which they end
  const open = new Map<string, { readonly purpose: string; readonly endsAt: number }>();
  return {
    add: (purpose, challenge) => {
      for (const [id, { endsAt }] of open) {
        if (endsAt > elapsed() && open.size < MAX_OPEN) break;
        open.delete(id);
      }
      open.set(challenge, { purpose, endsAt: elapsed() + CHALLENGE_MS });
    },
    take: (purpose, challenge) => {
      const found = open.get(challenge);
      open.delete(challenge);
      return found?.purpose === purpose && found.endsAt > elapsed();
    },
  };
}

/**
 * What persons have changed about who may sign in: passkeys that they added and removed, and
 * whether the operator keys open the console. The ledger has one setting for each act, and the acts
 * in their order say how it is now. A copy of the ledger opens nothing: it has public keys alone.
 */
import { z } from 'zod';
import type { Ledger } from '../ledger/ledger.js';

const ACT = 'console act ';
const COUNTER = 'console passkey counter ';
const NUMBER_DIGITS = 8;

const passkey = z.object({
  /** The credential's id, as the browser names it. */
  id: z.string(),
  /** In base64url, as COSE. */
  public_key: z.string(),
  /** The host at which the browser offers it. */
  host: z.string(),
  /** Whose it is: the name of an operator key, which has the role. */
  operator: z.string(),
  name: z.string(),
});

/** What a person decided, without who and when. */
const decision = z.discriminatedUnion('what', [
  z.object({ what: z.literal('passkey_added'), passkey }),
  z.object({ what: z.literal('passkey_removed'), id: z.string(), name: z.string() }),
  z.object({ what: z.literal('keys_off') }),
  z.object({ what: z.literal('keys_on') }),
]);
export type Decision = z.infer<typeof decision>;

const act = z.object({
  /** Two relays that write the same number see whose act it became. */
  act_id: z.string(),
  by: z.string(),
  /** Milliseconds, by the clock of the relay. */
  at: z.int(),
  decision,
});
export type AccessAct = z.infer<typeof act>;
export type Passkey = z.infer<typeof passkey> & { readonly at: number };

export type AccessState = {
  readonly passkeys: readonly Passkey[];
  readonly keysOff: boolean;
  /** The oldest first. */
  readonly acts: readonly AccessAct[];
};

export type AccessLedger = Pick<
  Ledger,
  'keepSetting' | 'setting' | 'settingsFrom' | 'writeSetting'
>;

export async function readAccess(ledger: AccessLedger): Promise<AccessState> {
  const settings = [...(await ledger.settingsFrom(ACT))].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const acts = settings.map(([, value]) => act.parse(JSON.parse(value)));
  const passkeys = new Map<string, Passkey>();
  let keysOff = false;
  for (const { at, decision: decided } of acts)
    if (decided.what === 'passkey_added')
      passkeys.set(decided.passkey.id, { ...decided.passkey, at });
    else if (decided.what === 'passkey_removed') passkeys.delete(decided.id);
    else keysOff = decided.what === 'keys_off';
  return { passkeys: [...passkeys.values()], keysOff, acts };
}

/**
 * Writes an act. When another act comes first, `decide` is asked again with the state after it, so
 * that two persons cannot remove the last two passkeys at once.
 *
 * @param decide throws what the person is told when the state does not allow the act
 */
export async function writeAct(
  ledger: AccessLedger,
  { at, by }: Pick<AccessAct, 'at' | 'by'>,
  decide: (state: AccessState) => Decision,
): Promise<Decision> {
  for (;;) {
    const state = await readAccess(ledger);
    const decided = decide(state);
    const value = JSON.stringify({ act_id: crypto.randomUUID(), by, at, decision: decided });
    const number = String(state.acts.length + 1).padStart(NUMBER_DIGITS, '0');
    if ((await ledger.keepSetting(`${ACT}${number}`, value)) === value) return decided;
  }
}

/** How often a passkey has signed; one that does not count has 0 for ever. */
export const readCounter = async (ledger: AccessLedger, id: string): Promise<number> =>
  Number((await ledger.setting(`${COUNTER}${id}`)) ?? 0);

export async function writeCounter(
  ledger: AccessLedger,
  id: string,
  counter: number,
): Promise<void> {
  if (counter > 0) await ledger.writeSetting(`${COUNTER}${id}`, String(counter));
}

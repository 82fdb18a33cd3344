/** The browser's own functions for passkeys; each asks the person for a finger, a face or a PIN. */
import { Refused } from './api.js';

/** A browser makes passkeys for names alone, so the sign-in offers none at an address. */
export const mayHavePasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && !/^\[|^[\d.]+$/.test(location.hostname);

/**
 * @returns what the relay verifies
 * @throws Refused when the person or the browser did not make one
 */
export const makePasskey = (options: PublicKeyCredentialCreationOptionsJSON): Promise<object> =>
  ask(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
    }),
  );

/**
 * @returns what the relay verifies
 * @throws Refused when the person or the browser did not sign
 */
export const signWithPasskey = (options: PublicKeyCredentialRequestOptionsJSON): Promise<object> =>
  ask(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
    }),
  );

async function ask(question: () => Promise<Credential | null>): Promise<object> {
  if (!('parseCreationOptionsFromJSON' in PublicKeyCredential))
    throw new Refused(0, 'This browser is too old for passkeys.');
  const answer = await question().catch((error: unknown) => {
    throw new Refused(0, reasonOf(error));
  });
  if (answer instanceof PublicKeyCredential) return answer.toJSON();
  throw new Refused(0, 'The browser gave no passkey.');
}

/** The browser does not say whether the person refused or the time was over. */
function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError') return 'No passkey was used: refused, or the time was over.';
  if (name === 'InvalidStateError') return 'This device has a passkey of yours already.';
  return `The browser used no passkey: ${name}.`;
}

/**
 * Passkeys as `@simplewebauthn/server` makes and verifies them. The relay does not depend on
 * the package: it brings 25 packages, most of which read certificates that this console never asks
 * for. Whoever wants passkeys installs it, and it is loaded when the first passkey is used.
 */
import type * as Library from '@simplewebauthn/server';
import type * as Helpers from '@simplewebauthn/server/helpers';
import { z } from 'zod';
import { ConsoleError } from './console-error.js';
import type { Place } from './guard.js';

const text = z.string().max(8192);
const common = { id: text, rawId: text, type: z.literal('public-key') };

/** What a browser answers that made a passkey; what else it says is not used. */
export const newCredential = z.object({
  ...common,
  response: z.object({ clientDataJSON: text, attestationObject: text }),
});
/** What a browser answers that signed with a passkey. */
export const signedCredential = z.object({
  ...common,
  response: z.object({ clientDataJSON: text, authenticatorData: text, signature: text }),
});

type Used = Pick<
  typeof Library,
  | 'generateAuthenticationOptions'
  | 'generateRegistrationOptions'
  | 'verifyAuthenticationResponse'
  | 'verifyRegistrationResponse'
> &
  Pick<typeof Helpers, 'decodeAttestationObject' | 'isoBase64URL'>;
export type LoadWebAuthn = () => Promise<Used>;

const load: LoadWebAuthn = async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
});

export type WebAuthn = {
  /** Why there is none here; null where a person may use one. */
  whyNone(place: Place): Promise<string | null>;
  /** @param known ids of the person's passkeys, of which a device has at most one */
  newOptions(
    place: Place,
    person: string,
    known: readonly string[],
  ): Promise<Library.PublicKeyCredentialCreationOptionsJSON>;
  signInOptions(place: Place): Promise<Library.PublicKeyCredentialRequestOptionsJSON>;
  /** @throws Error with the reason for the log */
  verifyNew(
    place: Place,
    response: z.infer<typeof newCredential>,
    takesChallenge: (challenge: string) => boolean,
  ): Promise<{ id: string; publicKey: string; counter: number }>;
  /**
   * @throws Error with the reason for the log
   * @returns how often the passkey has signed
   */
  verifySigned(
    place: Place,
    response: z.infer<typeof signedCredential>,
    takesChallenge: (challenge: string) => boolean,
    passkey: { id: string; publicKey: string; counter: number },
  ): Promise<number>;
};

const NOT_INSTALLED =
  'Passkeys need one more package beside the relay: npm install @simplewebauthn/server. ' +
  'Then start the relay again.';
const ADDRESS =
  'A browser makes passkeys for names, not for an address. Open the console at localhost, or ' +
  'at a name of operator.hosts.';

const isAddress = (name: string): boolean => /^\[|^[\d.]+$/.test(name);

/** @param loadLibrary rejects with the code of Node when the package is not installed */
export function createWebAuthn(loadLibrary: LoadWebAuthn = load): WebAuthn {
  const library = async (place: Place) => {
    if (isAddress(place.name)) throw new ConsoleError(409, 'no_passkeys_here', ADDRESS);
    return loadLibrary().catch((error: unknown) => {
      if (!isNotInstalled(error)) throw error;
      throw new ConsoleError(409, 'no_passkeys_here', NOT_INSTALLED);
    });
  };
  return {
    whyNone: async (place) => {
      try {
        await library(place);
        return null;
      } catch (error) {
        if (error instanceof ConsoleError) return error.message;
        throw error;
      }
    },
    newOptions: async (place, person, known) =>
      (await library(place)).generateRegistrationOptions({
        rpName: 'pay-checkout console',
        rpID: place.name,
        userName: person,
        userDisplayName: person,
        excludeCredentials: known.map((id) => ({ id })),
        // one tap is enough to sign in: the device has the name, and asks who is there
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      }),
    signInOptions: async (place) =>
      (await library(place)).generateAuthenticationOptions({
        rpID: place.name,
        userVerification: 'required',
      }),
    verifyNew: async (place, response, expectedChallenge) => {
      const { decodeAttestationObject, isoBase64URL, verifyRegistrationResponse } =
        await library(place);
      const { attestationObject } = response.response;
      // a certificate would make the library fetch an address that the certificate names
      const attested = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
      const isSelfSigned = attested.get('fmt') === 'packed' && !attested.get('attStmt').get('x5c');
      if (attested.get('fmt') !== 'none' && !isSelfSigned)
        throw new Error('the passkey came with a certificate, which nobody asked for');
      const { registrationInfo } = await verifyRegistrationResponse({
        response: { ...response, clientExtensionResults: {} },
        expectedChallenge,
        expectedOrigin: [...place.origins],
        expectedRPID: place.name,
      });
      if (!registrationInfo) throw new Error('the passkey did not sign its answer');
      const { counter, id, publicKey } = registrationInfo.credential;
      return { id, counter, publicKey: isoBase64URL.fromBuffer(publicKey) };
    },
    verifySigned: async (place, response, expectedChallenge, { counter, id, publicKey }) => {
      const { isoBase64URL, verifyAuthenticationResponse } = await library(place);
      const { authenticationInfo, verified } = await verifyAuthenticationResponse({
        response: { ...response, clientExtensionResults: {} },
        expectedChallenge,
        expectedOrigin: [...place.origins],
        expectedRPID: place.name,
        credential: { id, counter, publicKey: isoBase64URL.toBuffer(publicKey) },
      });
      if (!verified) throw new Error('the signature is wrong');
      return authenticationInfo.newCounter;
    },
  };
}

const isNotInstalled = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';

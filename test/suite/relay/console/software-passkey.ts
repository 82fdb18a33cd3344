/** A passkey in software, which can also do what no browser lets a page do. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** What is unlike an honest browser. */
export type Lie = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly counter?: number;
  readonly userVerified?: boolean;
  readonly certificate?: boolean;
};

export type SoftwarePasskey = {
  readonly id: string;
  /** Answers as `navigator.credentials.create` does. */
  make(challenge: string, lie?: Lie): object;
  /** Answers as `navigator.credentials.get` does. */
  sign(challenge: string, lie?: Lie): object;
};

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** @param site where the passkey was made */
export function softwarePasskey(site: { origin: string; rpId: string }): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const bytes = (text: string): Uint8Array<ArrayBuffer> =>
    Uint8Array.from(Buffer.from(text, 'base64url'));
  const coseKey = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
  let signed = 0;

  const authenticatorData = (lie: Lie, credential: Buffer): Buffer => {
    const flags =
      USER_PRESENT |
      (lie.userVerified === false ? 0 : USER_VERIFIED) |
      (credential.length > 0 ? HAS_CREDENTIAL : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lie.counter ?? ++signed);
    return Buffer.concat([sha256(lie.rpId ?? site.rpId), Buffer.of(flags), counter, credential]);
  };
  const clientData = (type: string, challenge: string, lie: Lie): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: lie.origin ?? site.origin }));
  const answer = (response: Record<string, Uint8Array>): object => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    response: Object.fromEntries(
      Object.entries(response).map(([name, value]) => [
        name,
        Buffer.from(value).toString('base64url'),
      ]),
    ),
    clientExtensionResults: {},
  });

  return {
    id: id.toString('base64url'),
    make: (challenge, lie = {}) => {
      const head = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id]);
      const authData = authenticatorData(lie, Buffer.concat([head, coseKey]));
      const statement = new Map(lie.certificate ? [['x5c', [new Uint8Array(8)]]] : []);
      const attestationObject = isoCBOR.encode(
        new Map<string, string | Uint8Array | typeof statement>([
          ['fmt', lie.certificate ? 'apple' : 'none'],
          ['attStmt', statement],
          ['authData', Uint8Array.from(authData)],
        ]),
      );
      const clientDataJSON = clientData('webauthn.create', challenge, lie);
      return answer({ clientDataJSON, attestationObject });
    },
    sign: (challenge, lie = {}) => {
      const clientDataJSON = clientData('webauthn.get', challenge, lie);
      const authData = authenticatorData(lie, Buffer.alloc(0));
      const content = Buffer.concat([authData, sha256(clientDataJSON)]);
      const signature = sign('sha256', content, privateKey);
      return answer({ clientDataJSON, authenticatorData: authData, signature });
    },
  };
}

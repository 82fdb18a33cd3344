/** A self-signed certificate, generated for each test so that no private key is stored. */
import { generateKeyPairSync, sign } from 'node:crypto';

/**
 * Encodes a DER element: tag, length, content. A length below 128 is one byte; a longer one is 0x81
 * or 0x82 and its bytes.
 */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const long =
    body.length > 255 ? [0x82, body.length >> 8, body.length & 255] : [0x81, body.length];
  const length = body.length < 128 ? [body.length] : long;
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const SEQUENCE = 0x30;
const SET = 0x31;
const UTC_TIME = 0x17;
const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OBJECT_ID, Buffer.from('2a8648ce3d040302', 'hex')));
const commonName = (name: string): Buffer =>
  der(
    SEQUENCE,
    der(
      SET,
      der(
        SEQUENCE,
        der(OBJECT_ID, Buffer.from('550403', 'hex')),
        der(UTF8_STRING, Buffer.from(name)),
      ),
    ),
  );

/** @param ends the end of the validity, as `YYMMDDhhmmssZ` */
export function selfSigned(name: string, ends = '491231235959Z'): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const toBeSigned = der(
    SEQUENCE,
    der(INTEGER, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    commonName(name),
    der(SEQUENCE, der(UTC_TIME, Buffer.from('200101000000Z')), der(UTC_TIME, Buffer.from(ends))),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', toBeSigned, privateKey)]);
  const certificate = der(SEQUENCE, toBeSigned, ECDSA_WITH_SHA256, der(BIT_STRING, signature));
  const base64 = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

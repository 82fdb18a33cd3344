/** Why a token is refused, in words that name what the shop's developer has to compare. */
import { errors } from 'jose';
import type { Config } from '../config/schema.js';

/** @returns a sentence that holds nothing of the token */
export function whyRefused({ public_url }: Config, typ: string, error: unknown): string {
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'its signature does not match the key of this kid in order_token_keys';
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'its alg is not the alg of this kid in order_token_keys';
  if (error instanceof errors.JOSENotSupported) return 'its header has a crit that is not known';
  if (error instanceof errors.JWTInvalid) return 'its claims are not a JSON object';
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'not a compact JWS';
  const { claim, reason } = error;
  if (reason === 'missing') return `claim ${claim} is missing`;
  if (claim === 'typ') return `typ in its header is not ${typ}`;
  if (claim === 'aud') return `aud is not the relay's public_url ${public_url}`;
  if (reason === 'invalid') return `claim ${claim} is not a number of seconds`;
  if (claim === 'iat')
    return 'iat is in the future: it counts seconds; if it does, compare the clocks';
  return `claim ${claim} is in the future`;
}

/** Cause and cure of each code of `pay-checkout` that does not come from the relay. */
import type { FailureCode } from '../../../relay/contract/failure.js';
import type { ProblemCode } from '../../../widget/problem.js';
import type { EventErrorCode } from '../../../widget/shop/verify-event.js';

type CauseAndCure = readonly [cause: string, cure: string];

/** Codes of the element, besides the codes of the relay. */
export const elementCodes: Record<Exclude<ProblemCode, FailureCode>, CauseAndCure> = {
  relay_unreachable: [
    'No answer came, the browser refused to send the request, or something other than the relay' +
      ' answered.',
    'Check that the relay runs at the address in relay, that shop.origins names the page’s' +
      ' origin, and that connect-src in the page’s policy allows the relay.',
  ],
  contract_mismatch: [
    'The element cannot read the relay’s answer: the page has a script of another version.',
    'Let pages load the script that this relay serves.',
  ],
  attributes_wrong: [
    'An attribute is missing, malformed or contradicts another; field names it.',
    'Set the attribute that the message names.',
  ],
};

/** Codes of an EventError. */
export const eventErrorCodes: Record<EventErrorCode, CauseAndCure> = {
  bad_signature: [
    'No signature matches: the secret differs, the body was changed, or a header is missing.',
    'Give verifyEvent the secret of shop_events, the raw body and the headers. Answer 401.',
  ],
  too_old: [
    'The event was signed longer ago, or further in the future, than tolerance_s.',
    'Set the clock of the server. Answer 400: the relay signs each new try with its time.',
  ],
  bad_body: [
    'The signature is right, but the body is not an event.',
    'Make sure that only the relay signs with this secret. Answer 400.',
  ],
};

/** Codes of a RelayError, besides the codes of the relay. */
export const relayErrorCodes: Record<string, CauseAndCure> = {
  no_answer: [
    'No answer came in time (status 0), or something other than the relay answered.',
    'Try again: each call may be repeated. Check that relay is the relay’s public_url.',
  ],
  wrong_mode: [
    'The order is of another mode than livemode of fetchOrder asks for.',
    'Deliver nothing for it. Check whether relay is the relay of this shop, and its mode.',
  ],
};

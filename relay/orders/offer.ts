/** The payment options that an intent has, and the option that a request chooses. */
import {
  takes,
  whyNoneTakes,
  whyNotTaken,
  type Charge,
  type PaymentOptionConfig,
} from '../config/payment-options.js';
import { Failure } from '../contract/failure.js';
import type { PayRequest } from '../contract/requests.js';
import type { OrderIntent } from '../intent/order-intent.js';
import type { Offer } from './option-switches.js';

/**
 * Finds the option that a request chooses.
 *
 * @throws Failure that names the field when the option is unknown or does not fit, or when customer
 *   data is absent
 */
export function findOption(
  offer: Offer,
  intent: OrderIntent,
  request: Pick<PayRequest, 'option' | 'customer'>,
): PaymentOptionConfig {
  const option = offer.options.find(({ id, enabled }) => id === request.option && enabled);
  if (!option) throw unknownOption(offer, request.option);
  if (!isListed(intent, option))
    throw new Failure('option_not_available', 'this sale does not offer the option', 'option');
  const why = whyNotTaken(option, chargeOf(intent));
  if (why !== null) throw new Failure('option_not_available', `the option ${why}`, 'option');
  for (const field of option.customer ?? [])
    if (!request.customer?.[field])
      throw new Failure(
        'customer_data_required',
        `the option asks for customer.${field}`,
        `customer.${field}`,
      );
  return option;
}

/**
 * Checks again, right before the claim, that the option may still be used: the configuration may
 * have been replaced, or the option switched off, since the request came.
 *
 * @throws Failure `option_unknown`, or `ledger_unavailable` while nobody knows what is switched off
 */
export function checkOffered(offer: Offer, id: string): void {
  if (!offer.isRead)
    throw new Failure(
      'ledger_unavailable',
      'the ledger did not say which options are switched off; nothing was placed',
    );
  if (!offer.options.some((option) => option.id === id && option.enabled))
    throw unknownOption(offer, id);
}

/** A page may still show an option that was switched off a moment ago. */
function unknownOption({ switchOf }: Offer, id: string): Failure {
  const last = switchOf(id);
  if (!last?.off) return new Failure('option_unknown', 'no such payment option', 'option');
  const message = 'the option is switched off at present';
  return new Failure('option_unknown', message, 'option', { notice: last.message });
}

/** The configured options with which an intent may be paid. */
export const offeredOptions = (
  { options }: Pick<Offer, 'options'>,
  intent: OrderIntent,
): PaymentOptionConfig[] =>
  options.filter((option) => isListed(intent, option) && takes(option, chargeOf(intent)));

/** @returns why an intent has no option, for the developer */
export function whyNoOption({ options }: Pick<Offer, 'options'>, intent: OrderIntent): string {
  if (options.length === 0) return 'options is empty';
  const listed = options.filter((option) => isListed(intent, option));
  if (listed.length > 0) return whyNoneTakes(listed, chargeOf(intent));
  return `no option has the id ${(intent.options ?? []).join(' or ')}`;
}

/** Whether the order token or pay link names the option, or names none. */
const isListed = ({ options }: OrderIntent, { id }: PaymentOptionConfig): boolean =>
  options === null || options.includes(id);

const chargeOf = ({ amount, currency, pay_currency }: OrderIntent): Charge => ({
  amount,
  currency,
  pay_currency: pay_currency ?? undefined,
});

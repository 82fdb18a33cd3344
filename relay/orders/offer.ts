/** The payment options that an intent has, and the option that a request chooses. */
import { optionFits, type PaymentOptionConfig } from '../config/payment-options.js';
import type { Config } from '../config/schema.js';
import { Failure } from '../contract/failure.js';
import type { PayRequest } from '../contract/requests.js';
import type { OrderIntent } from '../intent/order-intent.js';

/**
 * Finds the option that a request chooses.
 *
 * @throws Failure that names the field when the option is unknown or does not fit, or when customer
 *   data is absent
 */
export function findOption(
  config: Config,
  intent: OrderIntent,
  request: Pick<PayRequest, 'option' | 'customer'>,
): PaymentOptionConfig {
  const option = config.options.find(({ id, enabled }) => id === request.option && enabled);
  if (!option) throw new Failure('option_unknown', 'no such payment option', 'option');
  if (!isListed(intent, option))
    throw new Failure('option_not_available', 'this sale does not offer the option', 'option');
  if (!isOffered(intent, option))
    throw new Failure(
      'option_not_available',
      'the option does not fit this currency or amount',
      'option',
    );
  for (const field of option.customer ?? [])
    if (!request.customer?.[field])
      throw new Failure(
        'customer_data_required',
        `the option asks for customer.${field}`,
        `customer.${field}`,
      );
  return option;
}

/** The configured options with which an intent may be paid. */
export const offeredOptions = (
  { options }: Pick<Config, 'options'>,
  intent: OrderIntent,
): PaymentOptionConfig[] => options.filter((option) => isOffered(intent, option));

/** Whether the order token or pay link names the option, or names none. */
const isListed = ({ options }: OrderIntent, { id }: PaymentOptionConfig): boolean =>
  options === null || options.includes(id);

const isOffered = (intent: OrderIntent, option: PaymentOptionConfig): boolean =>
  isListed(intent, option) &&
  optionFits(option, {
    amount: intent.amount,
    currency: intent.currency,
    pay_currency: intent.pay_currency ?? undefined,
  });

/** The button that pays again after an order that failed or expired. */
import type { TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import type { Offer } from '../checkout/flow.js';
import { button } from '../fragments/actions.js';
import { withName } from '../fragments/names.js';
import type { ViewContext } from '../fragments/view-context.js';

/**
 * Makes a button that pays again with the option of the order.
 *
 * @param words text of the button; the default names the option
 * @returns null when the option is no longer offered
 */
export function againButton(
  { actions, label, options, t }: ViewContext,
  offer: Offer,
  order: Order,
  words?: string,
): TemplateResult | null {
  const option = options.find(({ id }) => id === order.option);
  if (!option) return null;
  const text = words ?? withName(t('again'), '{option}', label(option.label));
  // the card shows what the order charged; a new price must be seen before it is paid
  const isSamePrice = offer.amount === order.amount && offer.currency === order.currency;
  const press = (): void => (isSamePrice ? actions.payAgain(option) : actions.chooseAgain());
  return button('again', text, press, 'primary');
}

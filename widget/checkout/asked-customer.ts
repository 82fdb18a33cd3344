/** Selects the contact data that an option asks for; no other contact data leaves the page. */
import type { Customer } from '../../relay/contract/requests.js';
import { offerOf, type State } from './flow.js';

export function askedCustomer(
  state: State,
  optionId: string,
  customer: Customer,
): Customer | undefined {
  const option = offerOf(state)?.options.find(({ id }) => id === optionId);
  const asked: Customer = {};
  for (const field of option?.customer ?? []) if (customer[field]) asked[field] = customer[field];
  return Object.keys(asked).length > 0 ? asked : undefined;
}

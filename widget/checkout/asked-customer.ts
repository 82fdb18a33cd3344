/** Only what the option asks for leaves the page. */
import type { Customer } from '../../relay/contract/requests.js';
import { offerOf, type State } from './flow.js';

export function askedCustomer(
  state: State,
  optionId: string,
  customer: Customer,
): Customer | undefined {
  const asked = offerOf(state)?.options.find(({ id }) => id === optionId)?.customer ?? [];
  const entries = asked
    .map((field) => [field, customer[field]] as const)
    .filter(([, value]) => value);
  return entries.length > 0 ? (Object.fromEntries(entries) as Customer) : undefined;
}

/** The element as a form field: its value is the `request_id`; if required, invalid until paid. */
import { orderOf, type State } from '../checkout/flow.js';

type Field = {
  name: string | null;
  required: boolean;
  sentence: string;
  anchor: HTMLElement | null;
};

/** @param internals undefined in Safari before 16.4 */
export function reflectInForm(
  host: HTMLElement,
  internals: ElementInternals | undefined,
  state: State,
  field: Field,
): void {
  const value = orderOf(state)?.request_id ?? null;
  const isMissing = field.required && state.phase !== 'succeeded';
  if (!internals) return reflectInInput(host, value, isMissing, field);
  internals.setFormValue(value);
  if (isMissing)
    internals.setValidity({ valueMissing: true }, field.sentence, field.anchor ?? undefined);
  else internals.setValidity({});
}

const INPUT = ':scope > input[data-pay-checkout]';

/** A field without a place on the screen, among the children of the element. */
function reflectInInput(
  host: HTMLElement,
  value: string | null,
  isMissing: boolean,
  { name, sentence }: Field,
): void {
  const found = host.querySelector<HTMLInputElement>(INPUT);
  if (name === null && !isMissing) return found?.remove();
  const input = found ?? document.createElement('input');
  input.dataset.payCheckout = '';
  input.name = name ?? '';
  input.value = value ?? '';
  // Without a value a form leaves out its field, as it does for the element itself.
  input.disabled = value === null && !isMissing;
  input.setCustomValidity(isMissing ? sentence : '');
  if (!found) host.append(input);
}

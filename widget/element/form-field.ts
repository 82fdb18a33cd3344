/** The element as a form field: its value is the `request_id`; if required, invalid until paid. */
import { orderOf, type State } from '../checkout/flow.js';

type Field = { required: boolean; sentence: string; anchor: HTMLElement | null };

export function reflectInForm(
  internals: ElementInternals,
  state: State,
  { anchor, required, sentence }: Field,
): void {
  internals.setFormValue(orderOf(state)?.request_id ?? null);
  if (required && state.phase !== 'succeeded')
    internals.setValidity({ valueMissing: true }, sentence, anchor ?? undefined);
  else internals.setValidity({});
}

/** What a device does with the code on its own screen: it opens, saves or copies the code. */
import type { TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { copyButton } from '../fragments/copy-field.js';
import { saveButton } from '../fragments/qr.js';
import type { MaybeAction } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';
import { opening, type Opening } from './wallet-sheet.js';

type CodeActions = Opening & {
  readonly kind: 'open' | 'save' | 'copy';
  /** The actions that `action` leaves out, for the folded list. */
  readonly others: readonly MaybeAction[];
};

/** @param look class of the action */
export function codeActions(
  view: ViewContext,
  order: Order,
  code: string,
  look: 'primary' | 'quiet',
): CodeActions {
  const { onPhone, orderOption, t, touch } = view;
  const wanted = touch ? (orderOption?.phone_action ?? 'open') : 'copy';
  const opens = wanted === 'open' && order.code_opens === true;
  const open = opens ? opening(view, order, code, t('open_bank'), look) : null;
  const save = (as: string): MaybeAction => saveButton(view, code, as);
  const copy = (as: string): TemplateResult =>
    copyButton(
      view,
      '',
      code,
      copyWords(view) ?? t(onPhone ? 'copy_payment_code' : 'copy_code'),
      as,
    );
  if (open?.action)
    return {
      kind: 'open',
      ...open,
      // a copy is in sight where nothing opened (check-or-open.ts)
      others: [view.nothingOpened ? null : copy('quiet'), save('quiet')],
    };
  const saved = wanted === 'save' ? save(look) : null;
  if (saved) return { kind: 'save', action: saved, others: [copy('quiet')] };
  return { kind: 'copy', action: copy(look), others: [save('quiet')] };
}

/** The option's own words for the copy button. */
export const copyWords = ({ orderOption, ownWords }: ViewContext): string | undefined =>
  ownWords(orderOption?.words?.copy_code);

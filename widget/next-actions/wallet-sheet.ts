/** The sheet of an option's banks or wallets, from which the customer opens one with the link. */
import { html, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Order } from '../../relay/contract/order.js';
import { button } from '../fragments/actions.js';
import { bar } from '../fragments/bar.js';
import { externalLink, opener } from '../fragments/external-link.js';
import { walletMark } from '../fragments/picture-mark.js';
import type { MaybeAction } from '../fragments/screen.js';
import { foundLine, isFound, searchField } from '../fragments/search.js';
import type { EventOn, ViewContext } from '../fragments/view-context.js';
import { walletLink } from './wallet-link.js';

export type Opening = {
  /** Opens the link, or the sheet. */
  readonly action: MaybeAction;
  /** Stands in the content of the screen, so that it stays while its button changes its place. */
  readonly sheet?: MaybeAction;
};

/** A longer list has the height of the window, also while it is searched. */
const MAX_LOW = 8;

/** @param look class of the action */
export function opening(
  view: ViewContext,
  order: Order,
  link: string,
  words: string,
  look: string,
): Opening {
  const action = externalLink(view, order, link, words, look);
  if (!action || !view.touch || !view.orderOption?.wallets) return { action };
  const open = ({ currentTarget }: EventOn<HTMLElement>): void => {
    view.actions.loadWallets(order.option);
    const dialog = currentTarget.closest('.screen')?.querySelector<HTMLDialogElement>('.sheet');
    dialog?.showModal();
    // a screen reader reads its name; the field would bring a keyboard over the list
    dialog?.focus();
  };
  // it opens other forms of a link that has opened nothing
  const shown = view.nothingOpened ? 'primary' : look;
  return { action: button('wallets', words, open, shown), sheet: sheet(view, order, link, words) };
}

const sheet = (view: ViewContext, order: Order, link: string, words: string): TemplateResult =>
  html`<dialog
    class="sheet ${view.wallets?.[MAX_LOW] ? 'tall' : ''}"
    aria-label=${words}
    tabindex="-1"
  >
    ${bar(view, words)} ${list(view, order, link)}
  </dialog>`;

/** The order's own link stays in sight below the list: the customer's bank may be missing. */
function list(view: ViewContext, order: Order, link: string): unknown {
  const { search, t, wallets } = view;
  const entry = (url: string, name: string, icon: unknown, wallet?: string): TemplateResult =>
    html`<li>${opener(view, order, url, html`${icon}<bdi>${name}</bdi>`, 'option', wallet)}</li>`;
  const other = entry(link, t('other_app'), walletMark(view, { name: '…' }));
  const entries = (wallets ?? []).flatMap((wallet) => {
    const { name } = wallet;
    const url = isFound(view, name) && walletLink(wallet, link, view);
    return url ? [keyed(name, entry(url, name, walletMark(view, wallet), name))] : [];
  });
  const missing = wallets === null ? 'problem_relay_unreachable' : 'loading';
  // where this device opens no wallet of the list, there is nothing to search
  const isEmpty = wallets && !search && !entries[0];
  return html`${wallets && !isEmpty ? searchField(view, t('find_bank')) : null}
    ${isEmpty ? null : foundLine(view, entries.length, wallets ? undefined : t(missing))}
    <ul class="wallets">
      ${entries}
    </ul>
    <ul class="wallets">
      ${other}
    </ul>`;
}

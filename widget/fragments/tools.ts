/** Tools that few customers need: to share the code, and to continue on another device. */
import { html, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { resumeLink } from '../../relay/contract/paths.js';
import { button } from './actions.js';
import { copyButton } from './copy-field.js';
import { externalLink } from './external-link.js';
import { canShare, sharePicture } from './qr-file.js';
import type { MaybeAction } from './screen.js';
import type { ViewContext } from './view-context.js';

export const resumeButton = (view: ViewContext, order: Order): TemplateResult =>
  copyButton(view, '', resumeLink(view.relay, order), view.t('resume_link'));

/** For a customer in the browser of another app, which may open nothing. */
export const browserLink = (view: ViewContext, order: Order): MaybeAction =>
  externalLink(
    { ...view, openTarget: 'new-tab' },
    order,
    resumeLink(view.relay, order),
    view.t('open_browser'),
    'quiet',
  );

const shareButton = ({ draw, t }: ViewContext, code: string): MaybeAction => {
  const drawn = draw(code);
  if (!drawn || !canShare()) return null;
  return button('share', t('share'), () => void sharePicture(drawn));
};

/** Stands in the folded list only: below a code it would worry the customer. */
const openEnd = ({ t }: ViewContext, { expires_at }: Order): MaybeAction =>
  expires_at === undefined ? html`<p class="fine">${t('no_deadline')}</p>` : null;

export const tools = (view: ViewContext, order: Order, code?: string): readonly MaybeAction[] => [
  code === undefined ? null : shareButton(view, code),
  resumeButton(view, order),
  openEnd(view, order),
];

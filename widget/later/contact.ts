/** Names the shop to contact, when no address of the shop is known for a button. */
import { html, type TemplateResult } from 'lit';
import type { Offer } from '../checkout/flow.js';
import { isolated } from '../fragments/names.js';
import type { MaybeAction } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';

/** @param action a link to the shop; null when its address is unknown */
export const contact = (
  { t }: ViewContext,
  action: MaybeAction,
  offer: Offer | null,
): TemplateResult | null =>
  action || !offer ? null : html`<p class="hint">${t('support')}: ${isolated(offer.shop_name)}</p>`;

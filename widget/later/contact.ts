/** Whom to contact, where no address of the shop is known that a button could lead to. */
import { html, type TemplateResult } from 'lit';
import type { Offer } from '../checkout/flow.js';
import { isolated } from '../fragments/names.js';
import type { MaybeAction } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';

/** @param action the way to the shop; null when there is none */
export const contact = (
  { t }: ViewContext,
  action: MaybeAction,
  offer: Offer | null,
): TemplateResult | null =>
  action || !offer ? null : html`<p class="hint">${t('support')}: ${isolated(offer.shop_name)}</p>`;

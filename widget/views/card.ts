/** The card around every phase: the header, the phase's view, and the two live regions. */
import { html, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { DepositAddress } from '../../relay/contract/responses.js';
import { offerOf, orderOf, type Phase, type State } from '../checkout/flow.js';
import { amountIn } from '../fragments/amount.js';
import { bar } from '../fragments/bar.js';
import { secondsLeft } from '../fragments/countdown.js';
import { isolated, withName } from '../fragments/names.js';
import { logo } from '../fragments/picture-mark.js';
import { product } from '../fragments/product.js';
import type { ViewContext } from '../fragments/view-context.js';
import { isCrowded } from './choosing.js';
import { screenOf } from './index.js';
import { layout } from './layout.js';
import { skeleton } from './loading.js';

export type CardContent = {
  readonly flow: State;
  /** False until the texts of the language have loaded; only the skeleton is shown until then. */
  readonly ready: boolean;
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /** Text for screen readers only. */
  readonly spoken: string;
};

/**
 * The phase that a customer sees. Each is rendered anew: a button that stayed on the page would
 * change its meaning under the customer's finger.
 */
const seenPhase = ({ now }: ViewContext, flow: State): Phase =>
  flow.phase === 'awaiting_payment' && secondsLeft(flow.order, now) === 0 ? 'expired' : flow.phase;

/**
 * Moves the focus from the anchor to the title. The anchor is where the browser shows the message
 * of an invalid form field; it stays when the screen changes, because WebKitGTK ends the page when
 * such an anchor is removed.
 */
const toTitle = ({ currentTarget }: { currentTarget: HTMLElement }): void =>
  currentTarget.parentElement?.querySelector('h2')?.focus();

/**
 * The live regions get their texts as properties: a translator replaces text nodes, and a change of
 * a node that has left the page would never be spoken.
 */
export function card(view: ViewContext, content: CardContent): TemplateResult {
  const { direction, flow, locale, ready, spoken } = content;
  const screen = ready ? screenOf(view, flow) : null;
  const busy = !screen || flow.phase === 'submitting';
  const title = screen?.title ?? (ready ? view.t('loading') : '');
  // The style of the card resets the language by which a browser chooses fonts, so that it stands
  // once more inside.
  return html`<section
    part="base"
    class="base ${screen?.beside ? `beside-${screen.beside}` : ''}"
    dir=${direction}
    lang=${locale}
  >
    <span class="anchor" tabindex="-1" @focus=${toTitle}></span>
    <div lang=${locale}>
      ${ready ? header(view, flow) : null}
      <div class="phase" aria-busy=${busy}>
        ${screen ? keyed(seenPhase(view, flow), layout(view, screen)) : skeleton}
      </div>
      <p part="status" class="unseen" role="status" aria-live="polite">
        <bdi .textContent=${title}></bdi>
      </p>
      <p class="unseen" aria-live="polite" data-spoken .textContent=${spoken}></p>
    </div>
  </section>`;
}

/** The card inside a modal dialog with a close button. */
export const modalCard = (
  view: ViewContext,
  content: CardContent,
  on: { close(): void; closed(): void },
): TemplateResult => {
  const { direction, flow, locale } = content;
  const shop = shopOf(flow);
  return html`<dialog
    class="modal"
    dir=${direction}
    lang=${locale}
    aria-label=${offerOf(flow)?.product_name || shop?.shop_name || view.t('loading')}
    @close=${on.closed}
  >
    ${bar(view, shop?.shop_name && isolated(shop.shop_name), on.close)} ${card(view, content)}
  </dialog>`;
};

/** What the relay says of the shop beside the purchase or the deposit. */
export const shopOf = (
  flow: State,
): Pick<DepositAddress, 'shop_name' | 'livemode' | 'texts'> | null =>
  flow.phase === 'showing_deposit_address' ? flow.deposit : offerOf(flow);

const header = (view: ViewContext, flow: State): readonly unknown[] => [
  shopOf(flow)?.livemode === false ? html`<p class="ribbon">${view.t('test_mode')}</p>` : null,
  summary(view, flow),
];

/** Once a way to pay is chosen, the header is a single row, and asks for no money. */
function summary(view: ViewContext, flow: State): TemplateResult | null {
  const offer = offerOf(flow);
  // A deposit has no amount. After a payment it stands in the title: it is no longer due.
  if (!offer) return nameOnly(shopOf(flow)?.shop_name);
  if (flow.phase === 'succeeded') return null;
  const { logo_url, shop_name } = offer;
  const isChoice = flow.phase === 'choosing' && offer.options.length > 0;
  const isRow = !isChoice || isCrowded(offer);
  // The order's own amount: the offer's may have changed since.
  const { amount, currency } = orderOf(flow) ?? offer;
  const shop = html`<p class="shop">
    ${logo(view, logo_url)}
    <span
      >${isChoice ? withName(view.t('pay_shop'), '{shop}', shop_name) : isolated(shop_name)}</span
    >
  </p>`;
  const due = amountIn(view, amount, currency);
  return html`<header part="summary" class="summary ${isRow ? 'row' : ''}">
    ${isRow ? [html`<div>${shop}${product(offer)}</div>`, due] : [shop, due, product(offer)]}
  </header>`;
}

const nameOnly = (name: string | undefined): TemplateResult | null =>
  name === undefined
    ? null
    : html`<header part="summary" class="summary row shop-only">
        <p class="shop">${isolated(name)}</p>
      </header>`;

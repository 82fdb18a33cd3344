/**
 * Renders the element's tag and its card on a server, with the views of the element. The card is a
 * declarative shadow root, and its order can be paid without a script. Once the script has run, the
 * element removes the declared card as soon as it has a screen of its own (pay-checkout.ts).
 */
import { escapeHtml } from '@lit-labs/ssr/lib/util/escape-html.js';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import { renderValue } from '@lit-labs/ssr/lib/render-value.js';
import { html, nothing, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import type { Render, RenderFiles, RenderInput } from '../../relay/contract/render.js';
import { isEnded, orderOf, start, transition, type State } from '../checkout/flow.js';
import { secondsLeft } from '../fragments/countdown.js';
import { createLanguage, type Language } from '../texts/language.js';
import type { Texts } from '../texts/texts.js';
import { card } from '../views/card.js';
import { styles } from './styles.js';
import { serverView } from './view.js';

export { styles };

export const createRender =
  (files: RenderFiles): Render =>
  async (input) => {
    const { answer, locale, option, orderToken, relay } = input;
    const language = await loadLanguage(input, files);
    const { state } = transition(start, { type: 'checkout_loaded', answer });
    const desktop = renderCard(input, state, language, false);
    const phone = renderCard(input, state, language, true);
    // two cards that differ in the layout alone are not worth their bytes
    const cards =
      desktop === phone.replace(PHONE_LAYOUT, '$1')
        ? desktop
        : `<div class="for-desktop">${desktop}</div><div class="for-phone">${phone}</div>`;
    const attributes = { relay, 'order-token': orderToken, option, locale };
    // Before the script has run, the form of a choice would send the customer to a wrong page.
    const inert = state.phase === 'choosing' ? ' inert' : '';
    // only such a card is kept while the script cannot reach the relay (element/first-answer.ts)
    const payable =
      state.phase === 'awaiting_payment'
        ? attributesOf({ 'data-payable': state.order.request_id })
        : '';
    return (
      `<pay-checkout${attributesOf(attributes)}><template shadowrootmode="open">` +
      `<div class="declared"${inert}${payable}>` +
      `${stylesOf(input, files)}${cards}</div></template></pay-checkout>`
    );
  };

/** The class that views/layout.ts gives a phone's screen. */
const PHONE_LAYOUT = /(<div[^>]* class="[^"]*)phone(?= )/;

const stylesOf = ({ inlineStyles, nonce, relay }: RenderInput, files: RenderFiles): string =>
  inlineStyles
    ? `<style${attributesOf({ nonce })}>${styles}</style>`
    : `<link${attributesOf({ rel: 'stylesheet', href: `${relay}/${files.stylesheet}` })}>`;

/** Loads the element's texts from the files that the relay serves. */
function loadLanguage({ locale, relay }: RenderInput, { read }: RenderFiles): Promise<Language> {
  const fetch = (url: string): Promise<Response> => {
    const file = read(url.slice(relay.length + 1));
    return Promise.resolve(new Response(file, { status: file === null ? 404 : 200 }));
  };
  return new Promise((resolve, reject) => {
    const language = createLanguage(() =>
      language.isMissing() ? reject(new Error('the texts are missing')) : resolve(language),
    );
    language.load(relay, locale ?? 'en', fetch);
  });
}

function renderCard(
  { option, relay }: RenderInput,
  flow: State,
  language: Language,
  onPhone: boolean,
): string {
  const order = orderOf(flow);
  const now = order ? Date.parse(order.server_time) : 0;
  const view = serverView({ flow, language, now, onPhone, option, relay });
  const content = {
    flow,
    ready: true,
    locale: language.locale(),
    direction: language.direction(),
    spoken: '',
  };
  const canBePaid = flow.phase === 'awaiting_payment' && order && secondsLeft(order, now) !== 0;
  const code = canBePaid ? order.next_action : null;
  const scriptless =
    order && !isEnded(flow.phase)
      ? `<noscript>${toHtml(withoutScript(view.t, code))}</noscript>`
      : '';
  return toHtml(card(view, content)).replace(/<\/section>$/, () => `${scriptless}</section>`);
}

/** An empty `href` loads the same page again, which then shows the order's new state. */
const SAME_PAGE = '';

/**
 * For a browser without scripts: the code as text, and a link in place of the buttons.
 *
 * @param action null when the order must not be paid
 */
const withoutScript = (t: Texts, action: Order['next_action']): TemplateResult =>
  html`${
      action?.kind === 'scan_qr'
        ? html`<p><output class="value payload" dir="ltr">${action.qrcode_string}</output></p>`
        : nothing
    }
    <div class="actions"><a class="quiet" href=${SAME_PAGE}>${t('check_now')}</a></div>`;

const attributesOf = (attributes: Record<string, string | undefined>): string =>
  Object.entries(attributes)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${escapeHtml(value)}"`]))
    .join('');

/** Lit has escaped the values before these replacements, so no value can match one of them. */
function toHtml(template: TemplateResult): string {
  const renderInfo = {
    elementRenderers: [],
    customElementInstanceStack: [],
    customElementHostStack: [],
    eventTargetStack: [],
    slotStack: [],
    deferHydration: false,
  };
  return (
    collectResultSync(renderValue(template, renderInfo))
      // These comments mark parts for hydration, but the element renders its card anew.
      .replace(/<!--\/?lit-[^>]*-->|<\?>/g, '')
      // Nothing opens the enlarged code without a script, and it would double the bytes.
      .replace(/<dialog .*?<\/dialog>/gs, '')
      // A property that is false would be written as an attribute, and an attribute means true.
      .replaceAll(' checked="false"', '')
      // Such a text is a property, which is not written (fragments/copy-field.ts).
      .replace(/(<[^>]* data-text="([^"]*)"[^>]*>)(?=<\/(span|button)>)/g, '$1$2')
      // The element takes this class as its own screen (element/screen-change.ts).
      .replaceAll('class="screen ', 'class="')
      .trim()
  );
}

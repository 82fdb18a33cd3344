/**
 * The QR codes of a deposit. The first is the one that most wallets read; the customer can switch
 * to the others.
 */
import { html, type TemplateResult } from 'lit';
import type { DepositAddress } from '../../relay/contract/responses.js';
import { isolated, withName } from '../fragments/names.js';
import { smallQr } from '../fragments/qr.js';
import type { ViewContext } from '../fragments/view-context.js';

/** What a payment URI holds: the wallet then fills in the tag too. */
export const bothWords = ({ t }: ViewContext, tagName: string): unknown =>
  withName(t('address_and_tag'), '{tag}', tagName);

type Kind = { id: 'uri' | 'address' | 'tag'; words: unknown; text: string; caption?: unknown };

/**
 * @param folded whether the codes are in a closed `<details>`: on a phone a link opens the wallet,
 *   and only a wallet on another device scans a code
 */
export function depositCodes(
  view: ViewContext,
  { address, tag, uri }: DepositAddress,
  tagName: string,
  folded: boolean,
): TemplateResult | null {
  const { actions, t } = view;
  const hasTag = tag !== '';
  // Without a tag every wallet can read the URI, so a code of the address alone is not needed.
  const kinds: Kind[] = [];
  const both = bothWords(view, tagName);
  const alone = withName(t('address_only_warning'), '{tag}', tagName);
  if (uri !== undefined) kinds.push({ id: 'uri', words: both, text: uri, caption: both });
  if (uri === undefined || hasTag)
    kinds.push({ id: 'address', words: t('address_only'), text: address, caption: alone });
  if (hasTag) kinds.push({ id: 'tag', words: isolated(tagName), text: tag });
  const chosen = kinds.find(({ id }) => id === view.shownCode) ?? kinds[0];
  if (!chosen) return null;
  const content = chosen.id === 'tag' ? tagName : t('address');
  const caption = hasTag ? chosen.caption : undefined;
  const picture = html`${smallQr(view, chosen.text, `${content}: ${chosen.text}`)}
    <p class="hint" ?hidden=${caption === undefined}>${caption}</p>`;
  const switches = html`<div
    class="kinds"
    role="group"
    aria-label=${t('codes_help')}
    ?hidden=${kinds.length < 2}
  >
    ${kinds.map(
      ({ id, words }) =>
        html`<button
          type="button"
          class="quiet"
          data-code=${id}
          aria-pressed=${id === chosen.id}
          @click=${() => actions.showCode(id)}
        >
          ${words}
        </button>`,
    )}
  </div>`;
  if (folded)
    return html`<details class="codes">
      <summary>${t('codes_help')}</summary>
      ${picture} ${switches}
    </details>`;
  return html`<div class="codes">
    ${picture}
    <details ?hidden=${kinds.length < 2}>
      <summary>${t('codes_help')}</summary>
      ${switches}
    </details>
  </div>`;
}

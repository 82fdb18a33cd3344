/** A deposit address with its tag, at equal rank: one without the other loses money. */
import { html, nothing, type TemplateResult } from 'lit';
import type { State } from '../checkout/flow.js';
import { copyField } from '../fragments/copy-field.js';
import { paymentUri } from '../fragments/external-link.js';
import { isolated, withName } from '../fragments/names.js';
import { qrCode } from '../fragments/qr.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { DepositAddress } from '../../relay/contract/responses.js';

/**
 * Whole, in groups of four by style alone: the text stays the address, also when it is selected.
 */
const grouped = (address: string): TemplateResult[] =>
  (address.match(/.{1,4}/gs) ?? []).map((group) => html`<span class="group">${group}</span>`);

const fact = (name: string, value: string | undefined): TemplateResult | typeof nothing =>
  value === undefined
    ? nothing
    : html`<dt>${name}</dt>
        <dd>${isolated(value)}</dd>`;

export function depositAddress(
  view: ViewContext,
  { deposit, received }: Extract<State, { phase: 'showing_deposit_address' }>,
): TemplateResult {
  const { actions, label, t } = view;
  const { address, currency, minimum, network, tag, tag_label, unchecked } = deposit;
  const uri = paymentUri(deposit.uri);
  const name = deposit.label === undefined ? currency : label(deposit.label);
  const hasTag = tag !== '';
  const tagName = tag_label === undefined ? t('tag') : label(tag_label);
  const gated = hasTag && view.tagGate && !view.understood;
  return html`<h2>${withName(t('deposit'), '{currency}', name)}</h2>
    <p class="hint">
      ${withName(t('deposit_hint'), '{currency}', currency)}
      ${network === undefined ? nothing : withName(t('network_warning'), '{network}', network)}
    </p>
    <dl class="facts">
      ${fact(t('network'), network)}
      ${fact(t('minimum'), minimum === undefined ? undefined : `${minimum} ${currency}`)}
    </dl>
    ${unchecked ? html`<p class="note">${t('address_unchecked')}</p>` : nothing}
    ${hasTag ? html`<p class="note">${t('tag_warning')}</p>` : nothing}
    ${
      hasTag && view.tagGate
        ? html`<label class="gate"
            ><input
              type="checkbox"
              .checked=${view.understood}
              @change=${() => actions.understand()}
            />${t('tag_gate')}</label
          >`
        : nothing
    }
    ${
      gated
        ? nothing
        : html`${copyField(view, {
            part: 'address',
            label: t('address'),
            value: address,
            shown: grouped(address),
            ...(hasTag ? { step: 1, then: { words: t('copy_tag_next'), part: 'tag' } } : {}),
          })}
          ${hasTag ? copyField(view, { part: 'tag', label: tagName, value: tag, step: 2 }) : html`<p class="fine">${t('no_tag')}</p>`}
          ${codes(view, { ...deposit, uri }, tagName)}
          ${uri === undefined ? nothing : html`<p class="centred"><a part="link" class="tool" href=${uri}>${t('open_in_app')}</a></p>`}
          ${pasteCheck(view, address)}`
    }
    <p class="fine">${received ? t('deposit_received') : t('deposit_following')}</p>`;
}

/**
 * One code for each thing that a wallet may scan: both together, where a URI says so, or each
 * alone.
 */
function codes(
  view: ViewContext,
  { address, tag, uri }: DepositAddress,
  tagName: string,
): TemplateResult | typeof nothing {
  const { actions, t } = view;
  // without a tag the address is all there is, and every wallet reads its URI
  const kinds = [
    ...(uri === undefined ? [] : [{ id: 'uri', name: t('address_and_tag'), text: uri }]),
    ...(uri !== undefined && tag === ''
      ? []
      : [{ id: 'address', name: t('address_only'), text: address }]),
    ...(tag === '' ? [] : [{ id: 'tag', name: t('tag_only'), text: tag }]),
  ];
  const chosen = kinds.find(({ id }) => id === view.code) ?? kinds[0];
  if (!chosen) return nothing;
  const bare = chosen.id === 'address' && tag !== '';
  return html`<div class="codes" role="group" ?hidden=${kinds.length < 2}>
      ${kinds.map(
        ({ id, name }) =>
          html`<button
            type="button"
            class="tool"
            data-code=${id}
            aria-pressed=${id === chosen.id}
            @click=${() => actions.showCode(id)}
          >
            ${name}
          </button>`,
      )}
    </div>
    <div class="small">
      ${qrCode(view, chosen.text, `${chosen.id === 'tag' ? tagName : t('address')}: ${chosen.text}`)}
      ${bare ? html`<p class="note">${t('address_only_warning')}</p>` : nothing}
    </div>`;
}

/** Malware swaps addresses on their way through the clipboard; pasted back here, it shows. */
function pasteCheck({ actions, pasted, t }: ViewContext, address: string): TemplateResult {
  const text = pasted.trim();
  const same = text === address;
  return html`<details class="paste">
    <summary>${t('paste_check')}</summary>
    <div class="input">
      <input
        type="text"
        data-action="paste-check"
        aria-label=${t('paste_check')}
        dir="ltr"
        autocomplete="off"
        spellcheck="false"
        .value=${pasted}
        aria-invalid=${text !== '' && !same}
        @input=${(event: Event) => actions.paste((event.target as HTMLInputElement).value)}
      />
    </div>
    <p class=${same ? 'fine good' : 'note'} role="alert" ?hidden=${text === ''}>
      ${text === '' ? nothing : t(same ? 'paste_same' : 'paste_other')}
    </p>
  </details>`;
}

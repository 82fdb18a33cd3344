/** A deposit address and its tag, shown as equally important: without the tag a deposit is lost. */
import { html, nothing, type TemplateResult } from 'lit';
import type { State } from '../checkout/flow.js';
import { copyField } from '../fragments/copy-field.js';
import { paymentUri } from '../fragments/external-link.js';
import { isolated, withName } from '../fragments/names.js';
import { qrCode } from '../fragments/qr.js';
import type { FieldEvent, ViewContext } from '../fragments/view-context.js';
import type { DepositAddress } from '../../relay/contract/responses.js';

/** Groups of four by style only: the selected text is the address without spaces. */
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
  const { currency, minimum, network, tag, tag_label, unchecked } = deposit;
  const name = deposit.label === undefined ? currency : label(deposit.label);
  const hasTag = tag !== '';
  const tagName = tag_label === undefined ? t('tag') : label(tag_label);
  const gated = hasTag && view.tagGate && !view.tagConfirmed;
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
              .checked=${view.tagConfirmed}
              @change=${() => actions.toggleTagConfirmed()}
            />${t('tag_gate')}</label
          >`
        : nothing
    }
    ${gated ? nothing : addressAndTag(view, deposit, tagName)}
    <p class="fine">${received ? t('deposit_received') : t('deposit_following')}</p>`;
}

/** The fields to copy, the QR codes and the comparison of a pasted address. */
function addressAndTag(
  view: ViewContext,
  deposit: DepositAddress,
  tagName: string,
): TemplateResult {
  const { t } = view;
  const { address, tag } = deposit;
  const hasTag = tag !== '';
  const uri = paymentUri(deposit.uri);
  const addressField = copyField(view, {
    part: 'address',
    label: t('address'),
    value: address,
    shown: grouped(address),
    ...(hasTag ? { step: 1, then: { words: t('copy_tag_next'), part: 'tag' } } : {}),
  });
  const tagField = hasTag
    ? copyField(view, { part: 'tag', label: tagName, value: tag, step: 2 })
    : html`<p class="fine">${t('no_tag')}</p>`;
  const walletLink =
    uri === undefined
      ? nothing
      : html`<p class="centred">
          <a part="link" class="tool" href=${uri}>${t('open_in_app')}</a>
        </p>`;
  return html`${addressField} ${tagField} ${codes(view, { ...deposit, uri }, tagName)} ${walletLink}
  ${pasteCheck(view, address)}`;
}

/** One QR code for each text that a wallet may scan: the URI, the address and the tag. */
function codes(
  view: ViewContext,
  { address, tag, uri }: DepositAddress,
  tagName: string,
): TemplateResult | typeof nothing {
  const { actions, t } = view;
  // Without a tag, the URI contains nothing but the address, and every wallet reads it.
  const kinds = [
    ...(uri === undefined ? [] : [{ id: 'uri', name: t('address_and_tag'), text: uri }]),
    ...(uri !== undefined && tag === ''
      ? []
      : [{ id: 'address', name: t('address_only'), text: address }]),
    ...(tag === '' ? [] : [{ id: 'tag', name: t('tag_only'), text: tag }]),
  ];
  const chosen = kinds.find(({ id }) => id === view.shownCode) ?? kinds[0];
  if (!chosen) return nothing;
  const lacksTag = chosen.id === 'address' && tag !== '';
  const what = chosen.id === 'tag' ? tagName : t('address');
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
      ${qrCode(view, chosen.text, `${what}: ${chosen.text}`)}
      ${lacksTag ? html`<p class="note">${t('address_only_warning')}</p>` : nothing}
    </div>`;
}

/** Compares a pasted address with the shown one: malware replaces addresses in the clipboard. */
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
        @input=${(event: FieldEvent) => actions.comparePasted(event.target.value)}
      />
    </div>
    <p class=${same ? 'fine good' : 'note'} role="alert" ?hidden=${text === ''}>
      ${text === '' ? nothing : t(same ? 'paste_same' : 'paste_other')}
    </p>
  </details>`;
}

/** A deposit address with its tag, at equal rank: one without the other loses money. */
import { html, nothing, type TemplateResult } from 'lit';
import type { State } from '../checkout/flow.js';
import { copyField } from '../fragments/copy-field.js';
import { qrCode } from '../fragments/qr.js';
import type { ViewContext } from '../fragments/view-context.js';

/** Whole, in groups of four by style alone: the text stays the address, also when it is selected. */
const grouped = (address: string): TemplateResult[] =>
  (address.match(/.{1,4}/gs) ?? []).map((group) => html`<span class="group">${group}</span>`);

export function depositAddress(
  view: ViewContext,
  { deposit, received }: Extract<State, { phase: 'showing_deposit_address' }>,
): TemplateResult {
  const { t, label } = view;
  const { address, currency, minimum, network, tag, tag_label } = deposit;
  const hasTag = tag !== '';
  const tagName = tag_label === undefined ? t('tag') : label(tag_label);
  const code = qrCode(address, `${t('address')}: ${address}`);
  return html`<h2>${t('deposit', { currency: deposit.label === undefined ? currency : label(deposit.label) })}</h2>
    <p class="hint">${t('deposit_hint', { currency })}</p>
    <dl class="facts">
      ${
        network === undefined
          ? nothing
          : html`<dt>${t('network')}</dt>
              <dd>${network}</dd>`
      }
      ${
        minimum === undefined
          ? nothing
          : html`<dt>${t('minimum')}</dt>
              <dd>${minimum} ${currency}</dd>`
      }
    </dl>
    ${hasTag ? html`<p class="note">${t('tag_warning')}</p>` : nothing}
    ${copyField(view, { part: 'address', label: t('address'), value: address, shown: grouped(address), step: hasTag ? 1 : undefined })}
    ${hasTag ? copyField(view, { part: 'tag', label: tagName, value: tag, step: 2 }) : html`<p class="fine">${t('no_tag')}</p>`}
    ${code ? html`<div class="qr-frame small">${code}</div>` : nothing}
    <p class="fine">${received ? t('deposit_received') : t('deposit_following')}</p>`;
}

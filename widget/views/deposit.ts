/** A deposit address and its tag, shown as equally important: without the tag a deposit is lost. */
import { html, nothing, type TemplateResult } from 'lit';
import type { DepositAddress } from '../../relay/contract/responses.js';
import type { State } from '../checkout/flow.js';
import { ownReturnUrl, returnLink } from '../fragments/actions.js';
import { copyField, grouped } from '../fragments/copy-field.js';
import { paymentUri } from '../fragments/external-link.js';
import { facts, filled, isolated, withName } from '../fragments/names.js';
import type { Screen } from '../fragments/screen.js';
import { sign } from '../fragments/sign.js';
import type { FieldEvent, ViewContext } from '../fragments/view-context.js';
import { bothWords, depositCodes } from './deposit-codes.js';

export function depositAddress(
  view: ViewContext,
  { deposit, received }: Extract<State, { phase: 'showing_deposit_address' }>,
): Screen {
  const { asset, label, onPhone, t, touch } = view;
  const { currency, minimum, network, tag, tag_label } = deposit;
  const name = deposit.label === undefined ? currency : label(deposit.label);
  const hasTag = tag !== '';
  const tagName = tag_label === undefined ? t('tag') : label(tag_label);
  const gated = hasTag && view.tagGate && !view.tagConfirmed;
  if (received) return depositReceived(view, deposit, name, tagName);
  const uri = paymentUri(deposit.uri);
  const wallet =
    uri === undefined || gated
      ? null
      : html`<a part="link" class=${touch ? 'primary' : 'quiet'} href=${uri}
          >${t('open_in_app')}
          <small>${hasTag ? bothWords(view, tagName) : t('address_only')}</small></a
        >`;
  const opensWallet = onPhone && wallet !== null;
  const codes = gated ? null : depositCodes(view, { ...deposit, uri }, tagName, opensWallet);
  const kind = html`<bdi class="chip">${name}${network === undefined ? '' : ` · ${network}`}</bdi>`;
  return {
    title: t('deposit', { currency: name }),
    heading: filled(t('deposit'), '{currency}', kind),
    look: 'deposit',
    ...(codes && !opensWallet && { beside: 'codes' }),
    settled: true,
    warning: warnings(view, deposit, tagName),
    content: [
      hasTag && view.tagGate ? gate(view, tagName) : null,
      gated ? null : addressAndTag(view, deposit, tagName),
      opensWallet ? null : codes,
    ],
    primary: touch ? wallet : null,
    rest: [opensWallet ? codes : null],
    more: gated ? [] : [touch ? null : wallet, pasteCheck(view, deposit.address)],
    footer: [
      minimum === undefined
        ? null
        : html`<p class="fine">${t('minimum')} ${isolated(asset(minimum, currency))}</p>`,
      html`<p class="fine">${t('deposit_following')}</p>`,
    ],
  };
}

/** The address stays at hand for the next deposit, but nothing asks for one any more. */
function depositReceived(
  view: ViewContext,
  deposit: DepositAddress,
  name: string,
  tagName: string,
): Screen {
  const { t } = view;
  const { network } = deposit;
  return {
    title: t('title_received'),
    sign: 'good',
    hint: t('deposit_received'),
    look: 'paid',
    settled: true,
    content: html`<p class="hint">
      ${facts(isolated(name), network === undefined ? null : isolated(network))}
    </p>`,
    primary: returnLink(ownReturnUrl(view), t('return'), 'primary'),
    more: [addressAndTag(view, deposit, tagName)],
  };
}

/** Warns in one box of every mistake that loses a deposit. */
function warnings(
  { t }: ViewContext,
  { currency, network, tag, unchecked }: DepositAddress,
  tagName: string,
): TemplateResult {
  return html`${sign('care')}<span
      >${withName(t('deposit_hint'), '{currency}', currency)}
      ${network && withName(t('network_only'), '{network}', network)}
      ${tag && withName(t('tag_warning'), '{tag}', tagName)}
      ${/* a customer may take it for "no tag" */ tag === '0' ? t('tag_zero') : null}
      ${unchecked ? t('address_unchecked') : null}</span
    >`;
}

const gate = ({ actions, t, tagConfirmed }: ViewContext, tagName: string): TemplateResult =>
  html`<label class="gate"
    ><input
      type="checkbox"
      .checked=${tagConfirmed}
      @change=${() => actions.toggleTagConfirmed()}
    /><span>${withName(t('tag_gate'), '{tag}', tagName)}</span></label
  >`;

function addressAndTag(
  view: ViewContext,
  { address, tag }: DepositAddress,
  tagName: string,
): TemplateResult {
  const { t } = view;
  const hasTag = tag !== '';
  const addressField = copyField(view, {
    part: 'address',
    label: t('address'),
    value: address,
    shown: grouped(address),
    ...(hasTag
      ? { step: 1, then: { words: t('copy_tag_next', { tag: tagName }), part: 'tag' } }
      : {}),
  });
  const tagField = copyField(view, { part: 'tag', label: tagName, value: tag, step: 2 });
  return html`<div class="block">${addressField}${hasTag ? tagField : null}</div>`;
}

/** Compares a pasted address with the shown one: malware replaces addresses in the clipboard. */
function pasteCheck({ actions, pasted, t }: ViewContext, address: string): TemplateResult {
  const text = pasted.trim();
  const same = text === address;
  return html`<label class="input"
      ><span class="field-label">${t('paste_check')}</span>
      <input
        type="text"
        data-action="paste-check"
        dir="ltr"
        autocomplete="off"
        spellcheck="false"
        .value=${pasted}
        aria-invalid=${(text !== '' && !same) || nothing}
        @input=${(event: FieldEvent) => actions.comparePasted(event.target.value)}
      />
    </label>
    <p class=${same ? 'fine good' : 'note stop'} role="alert" ?hidden=${text === ''}>
      ${text && t(same ? 'paste_same' : 'paste_other')}
    </p>`;
}

/** Templates that several pages share. */
import { html, nothing, type TemplateResult } from 'lit';
import { namedOtherwise, NOT_LEARNED } from '../../relay/contract/pay-back.js';
import type { Answers } from './api.js';
import { hashOf } from './route.js';
import { moment, money, words } from './format.js';
import type { Shown } from './page.js';

type ListedOrder = Answers['orders/list']['orders'][number];
type Content = TemplateResult | string | number | typeof nothing;

const columnHead = (name: string): TemplateResult =>
  name === '' ? html`<td></td>` : html`<th scope="col">${name}</th>`;

/** A table that scrolls inside its own box on a narrow screen. */
export const table = (
  caption: string,
  head: readonly string[],
  rows: readonly (readonly Content[])[],
  empty: string,
): TemplateResult =>
  rows.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}>
        <table>
          <caption>
            ${caption}
          </caption>
          <thead>
            <tr>
              ${head.map(columnHead)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (cells) =>
                html`<tr>
                  ${cells.map((content) => html`<td>${content}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;

export const orderLink = (id: string): TemplateResult =>
  html`<a class="id" href=${hashOf('orders', id)}><bdi>${id}</bdi></a>`;

export const time = (instant: string | null): TemplateResult | string =>
  instant === null ? '–' : html`<time datetime=${instant}>${moment(instant)}</time>`;

/** The outcome as a word; its colour only repeats what the word says. */
export const outcome = (name: string | null): TemplateResult =>
  html`<span class="outcome ${name ?? 'none'}">${words(name ?? 'no order')}</span>`;

/** Why a payment must be given back, beside its outcome. */
export const payBack = (reason: string | null): TemplateResult | typeof nothing =>
  reason === null ? nothing : html`<span class="outcome review">pay back: ${words(reason)}</span>`;

/** The same, with the amount that the service named in place of the order's. */
export function payBackOf(order: ListedOrder) {
  const named = order.pay_back === null ? null : namedOtherwise(order);
  return html`${payBack(order.pay_back)}
  ${named === null ? nothing : `the service named ${money(named.amount, named.currency)}`}`;
}

/** What a person must know before anything is delivered, also where the table is out of sight. */
export function payBackNote(each: ListedOrder): TemplateResult | typeof nothing {
  const { amount, currency, pay_back, request_id, resolved_by, resolved_note } = each;
  if (pay_back === null) return nothing;
  const named = namedOtherwise(each);
  const asked = money(amount, currency);
  const sum =
    named === null
      ? `Pay ${asked} back.`
      : `We asked for ${asked}, and the service named ${money(named.amount, named.currency)}: ` +
        'pay back what came.';
  const decided = resolved_by === null ? '' : `${resolved_by} decided: ${resolved_note}.`;
  return html`<p class="warning">
    ${payBack(pay_back)} Deliver nothing for the order <bdi class="id">${request_id}</bdi>. ${sum}
    <bdi>${decided}</bdi> ${NOT_LEARNED}
  </p>`;
}

export const isActing = ({ session }: Shown): boolean => session.role === 'act';

/** A form whose fields become one object; the browser sends nothing. */
export const onSubmit =
  (work: (fields: Record<string, string>, form: HTMLFormElement) => void) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
    work(Object.fromEntries(fields), form);
  };

/** A choice that is none of the values is shown too, because the page says why it is refused. */
export const choices = (
  name: string,
  label: string,
  values: readonly string[],
  chosen: string | undefined,
): TemplateResult =>
  html`<label
    >${label}
    <select name=${name}>
      <option value="">any</option>
      ${[...new Set(values.concat(chosen ?? []))].map(
        (value) =>
          html`<option value=${value} .selected=${value === chosen}>${words(value)}</option>`,
      )}
    </select></label
  >`;

export const check = (name: string, label: string, value: string | undefined): TemplateResult =>
  html`<label class="check"
    ><input type="checkbox" name=${name} value="yes" .checked=${value !== undefined} />
    ${label}</label
  >`;

export const field = (
  name: string,
  label: string,
  { type = 'text', value = '', required = false, placeholder = '' } = {},
): TemplateResult =>
  html`<label
    >${label}
    <input
      name=${name}
      type=${type}
      .value=${value}
      placeholder=${placeholder}
      ?required=${required}
      autocomplete="off"
      spellcheck="false"
  /></label>`;

/**
 * @param name what a screen reader says in place of the text, to tell equal buttons apart
 * @param isMain stands out
 */
export const button = (
  text: string,
  press: () => void,
  { name, isMain = false }: { name?: string; isMain?: boolean } = {},
): TemplateResult =>
  html`<button
    type="button"
    class=${isMain ? 'primary' : nothing}
    aria-label=${name ?? nothing}
    @click=${press}
  >
    ${text}
  </button>`;

/** Names, and what stands for each. */
export const facts = (all: readonly (readonly [name: string, value: Content])[]): TemplateResult =>
  html`<dl>
    ${all.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd><bdi>${value}</bdi></dd>`,
    )}
  </dl>`;

/** What an empty list says. One call reads so many rows, and may find none of them. */
export const none = (text: string, cursor: string | null): string =>
  cursor === null ? text : 'Nothing so far; more may follow.';

export const moreButton = (
  cursor: string | null,
  { more }: Shown,
): TemplateResult | typeof nothing => (cursor === null ? nothing : button('Show more', more));

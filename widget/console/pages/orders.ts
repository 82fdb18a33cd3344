/** Finds and lists orders. */
import { html } from 'lit';
import { outcomes } from '../../../relay/contract/outcomes.js';
import type { Answers, Api } from '../api.js';
import { saveCsv } from '../csv.js';
import { money, words } from '../format.js';
import type { Page, Shown } from '../page.js';
import {
  check,
  choices,
  field,
  moreButton,
  onSubmit,
  orderLink,
  outcome,
  table,
  time,
} from '../parts.js';
import { hashOf, type Route } from '../route.js';

type Found = Answers['orders/find'] & { readonly kind: 'found' };
type Listed = Answers['orders/list'] & { readonly kind: 'listed' };
type Data = Found | Listed;

const HEAD = ['Time', 'Outcome', 'Amount', 'Option', 'Customer', 'Order'];

export const orders: Page<Data> = {
  title: 'Orders',
  load: async (api, { filters }) => {
    const { find } = filters;
    return find === undefined
      ? { kind: 'listed', ...(await api.call('orders/list', filterOf(filters))) }
      : { kind: 'found', ...(await api.call('orders/find', { text: find })) };
  },
  next: async (api: Api, { filters }, data) => {
    if (data.kind === 'found') return data;
    const input = { ...filterOf(filters), cursor: data.cursor };
    const next = await api.call('orders/list', input);
    return { ...next, kind: 'listed', orders: [...data.orders, ...next.orders] };
  },
  view: (data, shown) => html`
    <search>
      <form
        class="find"
        @submit=${onSubmit(({ find = '' }) => shown.go(hashOf('orders', '', { find })))}
      >
        ${field('find', 'What the customer sent you', {
          type: 'search',
          value: shown.route.filters.find ?? '',
          placeholder: 'order number, reference, pay link, address …',
        })}
        <button class="primary">Find</button>
      </form>
    </search>
    ${data.kind === 'found' ? foundView(data) : listedView(data, shown)}
  `,
};

/** A day of this browser's time zone becomes its two ends. */
function filterOf({ from, to, hanging, undelivered, ...rest }: Route['filters']): object {
  const start = from === undefined ? null : new Date(`${from}T00:00`);
  const end = to === undefined ? null : new Date(`${to}T23:59:59.999`);
  return {
    ...rest,
    ...(start && { since: start.toISOString() }),
    ...(end && { until: end.toISOString() }),
    ...(hanging !== undefined && { hanging: true }),
    ...(undelivered !== undefined && { undelivered: true }),
  };
}

const foundView = ({ matches }: Found) => html`
  ${table(
    `${matches.length} found`,
    ['Time', 'Found as', 'Outcome', 'Amount', 'Customer', 'Order'],
    matches.map((match) => [
      time(match.created_at),
      words(match.kind),
      outcome(match.outcome),
      match.amount === null ? match.currency : money(match.amount, match.currency),
      html`<bdi>${match.customer_ref_id}</bdi>`,
      match.intent_id === null ? 'deposit address' : orderLink(match.request_id ?? match.intent_id),
    ]),
    'Nothing has this identifier. Try its first six characters, or the number in the message ' +
      'of the bank.',
  )}
  <p><a href=${hashOf('orders')}>All orders</a></p>
  ${saveButton('found.csv', matches)}
`;

const listedView = (data: Listed, shown: Shown) => {
  const { cursor, orders: rows, sums } = data;
  const { filters } = shown.route;
  return html`
    <form class="filters" @submit=${onSubmit((fields) => shown.go(hashOf('orders', '', fields)))}>
      ${choices('outcome', 'Outcome', outcomes, filters.outcome)}
      ${field('option', 'Option', { value: filters.option ?? '' })}
      ${field('currency', 'Currency', { value: filters.currency ?? '' })}
      ${field('from', 'From', { type: 'date', value: filters.from ?? '' })}
      ${field('to', 'To', { type: 'date', value: filters.to ?? '' })}
      ${check('hanging', 'No news for an hour', filters.hanging)}
      ${check('undelivered', 'The shop was not told', filters.undelivered)}
      <button>Filter</button>
    </form>
    ${table(
      rows.length === 0 ? 'Orders' : `${rows.length} orders: ${sumsOf(sums)}`,
      HEAD,
      rows.map((row) => [
        time(row.created_at),
        outcome(row.outcome),
        money(row.amount, row.currency),
        row.option,
        html`<bdi>${row.customer_ref_id}</bdi>`,
        orderLink(row.request_id),
      ]),
      'No order is like this.',
    )}
    <p class="row">${moreButton(cursor, shown)} ${saveButton('orders.csv', rows)}</p>
  `;
};

const sumsOf = (sums: Record<string, string>): string =>
  Object.entries(sums)
    .map(([currency, amount]) => money(amount, currency))
    .join(', ');

const saveButton = (name: string, rows: readonly object[]) =>
  rows.length === 0
    ? html``
    : html`<button type="button" @click=${() => saveCsv(name, rows)}>Save as CSV</button>`;

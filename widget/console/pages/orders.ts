/** Finds and lists orders. */
import { html, nothing, type TemplateResult } from 'lit';
import { sumsByCurrency } from '../../../relay/contract/decimal.js';
import { outcomes } from '../../../relay/contract/outcomes.js';
import { namedOtherwise, NOT_LEARNED } from '../../../relay/contract/pay-back.js';
import { reviewReasons } from '../../../relay/contract/review-reasons.js';
import { Refused, type Answers, type Api } from '../api.js';
import { saveCsv } from '../csv.js';
import { counted, money, sumsOf, words } from '../format.js';
import { following, type Page, type Shown } from '../page.js';
import {
  button,
  check,
  choices,
  field,
  moreButton,
  none,
  onSubmit,
  orderLink,
  outcome,
  payBack,
  payBackOf,
  table,
  time,
} from '../parts.js';
import { hashOf, type Route } from '../route.js';

type Found = Answers['orders/find'] & { readonly kind: 'found' };
type Listed = Answers['orders/list'] & { readonly kind: 'listed'; readonly note: string | null };
type Data = Found | Listed;

/** Characters that the verb takes; nothing that can be found is as long. */
const MAX_FIND = 20_000;
const HEAD = ['Time', 'Outcome', 'Amount', 'Option', 'Customer', 'Order'];

export const orders: Page<Data> = {
  title: 'Orders',
  load: async (api, { filters }) => {
    const { find, option } = filters;
    return find === undefined
      ? {
          kind: 'listed',
          note: await noteOf(api, option),
          ...(await api.call('orders/list', filterOf(filters))),
        }
      : { kind: 'found', ...(await api.call('orders/find', { text: find.slice(0, MAX_FIND) })) };
  },
  next: async (api: Api, { filters }, data) =>
    data.kind === 'found'
      ? data
      : following<Listed>(data, async (cursor) => {
          const next = await api.call('orders/list', { ...filterOf(filters), cursor });
          return { ...data, ...next, orders: [...data.orders, ...next.orders] };
        }),
  form: filterForm,
  view: (data, shown) => (data.kind === 'found' ? foundView(data) : listedView(data, shown)),
};

/** No refusal: orders of an option that was removed from the configuration stay in the ledger. */
async function noteOf(api: Api, option: string | undefined): Promise<string | null> {
  if (option === undefined) return null;
  const ids = (await api.call('options/list')).options.map(({ id }) => id);
  if (ids.includes(option)) return null;
  return `Option: “${option}” is not configured; there are ${ids.join(', ')}.`;
}

/** The fields of days, as the form names them. */
const DAYS = { from: 'From', to: 'To' } as const;

/** Whether the text is a day such as 2026-11-27; a browser would make 3 March of 31 February. */
const isDay = (text: string): boolean => {
  const day = new Date(`${text}T00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !isNaN(+day) && day.toISOString().startsWith(text);
};

/** Where the clock goes back at midnight, a day has its last hour twice, so its end is computed. */
function endOf(day: string): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return new Date(new Date(year, month - 1, date + 1).getTime() - 1);
}

/** A day of this browser's time zone becomes its two ends. */
function filterOf({ from, to, hanging, pay_back, undelivered, ...rest }: Route['filters']): object {
  const start = from !== undefined && isDay(from) && new Date(`${from}T00:00`);
  const end = to !== undefined && isDay(to) && endOf(to);
  return {
    ...rest,
    ...(start && { since: start.toISOString() }),
    ...(end && !(start && end < start) && { until: end.toISOString() }),
    ...(hanging !== undefined && { hanging: true }),
    ...(pay_back !== undefined && { pay_back: true }),
    ...(undelivered !== undefined && { undelivered: true }),
  };
}

const foundView = ({ matches, more }: Found) => html`
  ${table(
    `${matches.length} found`,
    ['Time', 'Found as', 'Outcome', 'Amount', 'Customer', 'Order'],
    matches.map((match) => [
      time(match.created_at),
      words(match.kind),
      html`${outcome(match.outcome)} ${payBack(match.pay_back)}`,
      match.amount === null ? (match.currency ?? '—') : money(match.amount, match.currency ?? ''),
      html`<bdi>${match.customer_ref_id}</bdi>`,
      idOf(match),
    ]),
    'Nothing has this identifier. Try its first six characters, or the number in the message ' +
      'of the bank.',
  )}
  ${more ? html`<p>These are the newest of the first 1,000 found; there are more.</p>` : nothing}
  <p><a href=${hashOf('orders')}>All orders</a></p>
  ${matches.length === 0 ? nothing : button('Save as CSV', () => saveCsv('found.csv', matches))}
`;

const idOf = ({ intent_id, kind, request_id }: Found['matches'][number]) => {
  if (intent_id !== null) return orderLink(request_id ?? intent_id);
  return kind === 'deposit_address' ? 'deposit address' : 'no order yet';
};

function filterForm({ go, route: { filters } }: Shown): TemplateResult | typeof nothing {
  // what was found by one text has no filters
  if (filters.find !== undefined) return nothing;
  return html`<form
      class="filters"
      @submit=${onSubmit((fields) => go(hashOf('orders', '', fields)))}
    >
      ${choices('outcome', 'Outcome', outcomes, filters.outcome)}
      ${choices('reason', 'Review reason', reviewReasons, filters.reason)}
      ${field('option', 'Option', { value: filters.option ?? '' })}
      ${field('currency', 'Currency', { value: filters.currency ?? '' })}
      ${field('from', DAYS.from, { type: 'date', value: filters.from ?? '' })}
      ${field('to', DAYS.to, { type: 'date', value: filters.to ?? '' })}
      ${check('hanging', 'No news for an hour', filters.hanging)}
      ${check('pay_back', 'Is to be paid back', filters.pay_back)}
      ${check('undelivered', 'The shop was not told', filters.undelivered)}
      <button>Filter</button>
    </form>
    ${wrongDays(filters)}`;
}

const sumOf = (rows: Listed['orders']): string => sumsOf(sumsByCurrency(rows));

const listedView = (data: Listed, shown: Shown) => {
  const { cursor, note, orders: rows } = data;
  const toPayBack = rows.filter(({ pay_back }) => pay_back !== null);
  const { filters } = shown.route;
  // the service named another amount for one that goes back
  const isUnsure = toPayBack.some((row) => namedOtherwise(row) !== null);
  const asked = isUnsure ? ', asked' : '';
  const saveAll = (): void =>
    shown.run(async (api) => saveCsv('orders.csv', await allOrders(api, filters)));
  return html`
    ${note === null ? nothing : html`<p class="warning">${note}</p>`}
    ${table(
      rows.length === 0 ? 'Orders' : `${counted(rows.length, 'order')}${asked}: ${sumOf(rows)}`,
      HEAD,
      rows.map((row) => [
        time(row.created_at),
        html`${outcome(row.outcome)} ${payBackOf(row)}`,
        money(row.amount, row.currency),
        row.option,
        html`<bdi>${row.customer_ref_id}</bdi>`,
        orderLink(row.request_id),
      ]),
      none('No order is like this.', cursor),
    )}
    ${
      toPayBack.length === 0
        ? nothing
        : html`<p class="hint">To be paid back${asked}: ${sumOf(toPayBack)}. ${NOT_LEARNED}</p>`
    }
    <p class="row">
      ${moreButton(cursor, shown)} ${rows.length === 0 ? nothing : button('Save as CSV', saveAll)}
    </p>
  `;
};

/** A field for a date cannot show what is none, so a sentence does. */
function wrongDays(filters: Route['filters']) {
  const wrong = Object.entries(DAYS).flatMap(([name, label]) => {
    const text = filters[name];
    const isWrong = text !== undefined && !isDay(text);
    return isWrong ? [`${label}: “${text}” is no date such as 2026-11-27`] : [];
  });
  const { from, to } = filters;
  if (wrong.length === 0 && from && to && to < from) wrong.push('To is before From');
  return wrong.map((text) => html`<p class="warning">${text}, and left out of the filter.</p>`);
}

/** The largest answer of the relay. */
const PER_CALL = 500;
/** A browser keeps them in its memory, and a spreadsheet too. */
const MAX_SAVED = 50_000;

/** @throws Refused when there are more than a person can save here */
async function allOrders(api: Api, filters: Route['filters']): Promise<object[]> {
  const rows: object[] = [];
  let cursor: string | null = null;
  do {
    const input: object = { ...filterOf(filters), limit: PER_CALL, ...(cursor && { cursor }) };
    const answer: Answers['orders/list'] = await api.call('orders/list', input);
    rows.push(...answer.orders);
    ({ cursor } = answer);
    if (rows.length > MAX_SAVED)
      throw new Refused(
        0,
        `More than ${MAX_SAVED.toLocaleString('en')} orders. Choose fewer days, or use the ` +
          'command orders export.',
      );
  } while (cursor !== null);
  return rows;
}

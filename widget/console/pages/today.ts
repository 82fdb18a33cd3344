/** What sold in the last day, how service and relays are, and how much waits for a person. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Answers } from '../api.js';
import { bars } from '../chart.js';
import { saveCsv } from '../csv.js';
import { duration, money } from '../format.js';
import type { Page } from '../page.js';
import { table } from '../parts.js';
import { hashOf } from '../route.js';

type Data = {
  readonly sales: Answers['today'];
  readonly state: Answers['state'];
  readonly waiting: Answers['todo'];
};
type Sales = Answers['today']['last_day']['sum'];

const REFRESH_MS = 10_000;

export const today: Page<Data> = {
  title: 'Today',
  everyMs: REFRESH_MS,
  load: async (api) => {
    // getTimezoneOffset counts in the other direction
    const offset_minutes = -new Date().getTimezoneOffset();
    const [sales, state, waiting] = await Promise.all([
      api.call('today', { offset_minutes }),
      api.call('state'),
      api.call('todo'),
    ]);
    return { sales, state, waiting };
  },
  view: ({ sales, state, waiting }) => html`
    ${
      waiting.items.length === 0
        ? nothing
        : html`<p class="warning">
            <a href=${hashOf('todo')}
              >${waiting.more ? 'More than 100' : waiting.items.length} wait for a person</a
            >
          </p>`
    }
    ${
      sales.complete
        ? nothing
        : html`<p class="warning">
            The orders are being counted; the figures are not complete yet.
          </p>`
    }
    <div class="tiles">
      ${tile('Orders in 24 hours', sales.last_day.sum.orders, sales.week_before.sum.orders)}
      ${tile('Paid', sales.last_day.sum.paid, sales.week_before.sum.paid)}
      ${amounts(sales.last_day.sum, sales.week_before.sum)}
    </div>
    <h2>Orders per hour</h2>
    ${bars('Orders', hoursOf(sales))}
    <details>
      <summary>The same as a table</summary>
      ${table(
        'Orders of the last 24 hours, and of the same hours a week before',
        ['Hour', 'Orders', 'Paid', 'Amount', 'Week before'],
        sales.last_day.hours.map((hour, index) => [
          hour.local.slice(-5),
          hour.orders,
          hour.paid,
          sumsOf(hour),
          sales.week_before.hours[index]?.orders ?? 0,
        ]),
        'No hour is over.',
      )}
      <button type="button" @click=${() => saveCsv('today.csv', csvRows(sales))}>
        Save as CSV
      </button>
    </details>
    ${table(
      'Ways to pay, in 24 hours',
      ['Option', 'Orders', 'Paid', 'Conversion', 'Amount', 'Half paid within', '90 % within'],
      sales.options.map((option) => [
        html`<b>${option.option}</b>`,
        option.orders,
        option.paid,
        `${Math.round(option.success_rate * 100)} %`,
        sumsOf(option),
        seconds(option.median_s),
        seconds(option.p90_s),
      ]),
      'Nobody has ordered in the last 24 hours.',
    )}
    <h2>Service and relays</h2>
    ${stateView(state)}
  `,
};

const hoursOf = ({ last_day, week_before }: Answers['today']) =>
  last_day.hours.map(({ local, orders }, index) => ({
    label: local.slice(-5),
    now: orders,
    before: week_before.hours[index]?.orders ?? 0,
  }));

const csvRows = ({ last_day, week_before }: Answers['today']): object[] =>
  last_day.hours.map(({ paid_amounts, ...hour }, index) => ({
    ...hour,
    orders_week_before: week_before.hours[index]?.orders ?? 0,
    ...paid_amounts,
  }));

const tile = (name: string, now: number | string, before: number | string): TemplateResult =>
  html`<div class="tile">
    <small>${name}</small><b>${now}</b><small>a week before: ${before}</small>
  </div>`;

const amounts = (now: Sales, before: Sales): TemplateResult[] =>
  Object.entries(now.paid_amounts).map(([currency, amount]) =>
    tile(
      `Paid in ${currency}`,
      money(amount, currency),
      money(before.paid_amounts[currency] ?? '0', currency),
    ),
  );

const sumsOf = ({ paid_amounts }: Pick<Sales, 'paid_amounts'>): string =>
  Object.entries(paid_amounts)
    .map(([currency, amount]) => money(amount, currency))
    .join(', ') || '–';

const seconds = (value: number | null): string => (value === null ? '–' : duration(value));

const SERVICE = {
  ok: 'answers',
  silent: 'does not answer: new orders are refused',
  refuses: 'refuses this relay: look at its key',
} as const;

function stateView({ gauges, instance, relays, service }: Answers['state']): TemplateResult {
  const others = relays.filter((name) => name !== instance);
  const held = gauges.lists_held_back_seconds;
  const facts: [string, string][] = [
    ['Order service', SERVICE[service]],
    ['This relay', instance],
    ['Other relays', others.join(', ') || 'none'],
    [
      'Queries',
      `${gauges.queries_per_second} a second for this relay, ${gauges.queries_queued} wait`,
    ],
    [
      'Events for the shop',
      gauges.outbox_waiting === 0
        ? 'all delivered'
        : `${gauges.outbox_waiting} wait, the oldest for ${duration(gauges.outbox_lag_seconds)}`,
    ],
    ...(held > 0 ? [['Lists', `held back for ${duration(held)}`] as [string, string]] : []),
  ];
  return html`<dl>
    ${facts.map(
      ([name, text]) =>
        html`<dt>${name}</dt>
          <dd><bdi>${text}</bdi></dd>`,
    )}
  </dl>`;
}

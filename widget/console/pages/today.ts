/** What sold in the last day, how service and relays are, and how much waits for a person. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Answers } from '../api.js';
import { saveCsv } from '../csv.js';
import { duration, localHour, money, sumsOf, words } from '../format.js';
import type { Page } from '../page.js';
import { button, facts, table } from '../parts.js';
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
    const [sales, state, waiting] = await Promise.all([
      api.call('today'),
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
            <a href=${hashOf('todo')}>${waitText(waiting)}</a>
          </p>`
    }
    ${
      sales.complete
        ? nothing
        : html`<p class="warning">
            The figures are not complete: orders are still being counted, or cannot be read.
          </p>`
    }
    <div class="tiles">
      ${tile(`Orders ${span(sales)}`, sales.last_day.sum.orders, sales.week_before.sum.orders)}
      ${tile('Paid', sales.last_day.sum.paid, sales.week_before.sum.paid)}
      ${tile('Success rate', rateOf(sales.last_day.sum), rateOf(sales.week_before.sum))}
      ${amounts(sales.last_day.sum, sales.week_before.sum)}
    </div>
    <p class="hint">
      The last hour is not over yet; a week before, all of it is counted. “Paid” counts
      ${linked('payments that are to be paid back', hashOf('orders', '', { pay_back: 'yes' }))} too.
    </p>
    <h2>Orders per hour</h2>
    ${bars(hoursOf(sales))}
    <details>
      <summary>The same as a table</summary>
      ${table(
        `Orders ${span(sales)}, and of the same hours a week before`,
        ['Hour', 'Orders', 'Paid', 'Amount', 'Week before'],
        hoursOf(sales).map((hour) => [
          hour.local.slice(-5),
          hour.orders,
          hour.paid,
          sumsOf(hour.paid_amounts),
          hour.orders_week_before,
        ]),
        'No hour is over.',
      )}
      ${button('Save as CSV', () => saveCsv('today.csv', hoursOf(sales).map(csvRow)))}
    </details>
    ${table(
      `Ways to pay ${span(sales)}`,
      ['Option', 'Orders', 'Paid', 'Conversion', 'Amount', 'Half paid within', '90 % within'],
      sales.options.map((option) => [
        html`<b>${option.option}</b>`,
        option.orders,
        option.paid,
        rateOf(option),
        sumsOf(option.paid_amounts),
        seconds(option.median_s),
        seconds(option.p90_s),
      ]),
      `Nobody has ordered ${span(sales)}.`,
    )}
    <h2>What hangs</h2>
    ${facts(hanging(state, waiting))}
    <h2>Service and relays</h2>
    ${facts(serviceAndRelays(state))}
  `,
};

/** The first of 24 hours is of the day before, but in the last hour of a day. */
function span(sales: Answers['today']): string {
  const hours = hoursOf(sales);
  const [day, hour] = hours[0]?.local.split(' ') ?? [];
  const isToday = hours.at(-1)?.local.startsWith(`${day} `);
  return `since ${isToday ? '' : 'yesterday, '}${hour}`;
}

const hoursOf = ({ last_day, week_before }: Answers['today']) =>
  last_day.hours.map(({ from, ...counts }, index) => ({
    from,
    local: localHour(from),
    ...counts,
    orders_week_before: week_before.hours[index]?.orders ?? 0,
  }));

const HEIGHT = 100;
const STEP = 40;
/** Hours between two labels. */
const LABEL_EVERY = 4;

/**
 * Two series of 24 hours as bars: the last day, and the same day a week before behind it. The
 * figures are in a table beside it. No plotting library draws them: uPlot 1.6.32 has 19.8 kB
 * brotli, as much as the whole console, and draws on a canvas that neither print nor forced colours
 * reach; frappe-charts 1.6.2 has 16.3 kB and chartist 1.5.0 11.0 kB, which also need a style sheet.
 * Their scales and tooltips serve more than 24 bars.
 */
function bars(rows: ReturnType<typeof hoursOf>): TemplateResult {
  const most = Math.max(
    ...rows.flatMap(({ orders, orders_week_before }) => [orders, orders_week_before]),
  );
  if (most === 0)
    return html`<p class="empty">No order in these hours, and none a week before.</p>`;
  const height = (value: number): number => (value / most) * HEIGHT;
  const bar = (name: string, x: number, width: number, value: number) =>
    svg`<rect
      class=${name}
      x=${x}
      y=${HEIGHT - height(value)}
      width=${width}
      height=${height(value)}
    ></rect>`;
  const labels = rows.filter((_, index) => index % LABEL_EVERY === 0);
  return html`<figure aria-hidden="true">
    <svg class="bars" viewBox="0 0 ${rows.length * STEP} ${HEIGHT}" preserveAspectRatio="none">
      ${rows.map(({ orders, orders_week_before }, index) => {
        const x = index * STEP;
        return [bar('before', x + 4, 32, orders_week_before), bar('orders', x + 10, 20, orders)];
      })}
    </svg>
    <div class="hours">${labels.map(({ local }) => html`<small>${local.slice(-5)}</small>`)}</div>
    <figcaption>
      Orders: solid the last 24 hours, pale a week before. The highest bar is ${most}.
    </figcaption>
  </figure>`;
}

/** A column for each currency. */
const csvRow = ({ paid_amounts, ...hour }: ReturnType<typeof hoursOf>[number]): object => ({
  ...hour,
  ...paid_amounts,
});

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

const waitText = ({ items, more }: Answers['todo']): string =>
  items.length === 1
    ? '1 waits for a person'
    : `${more ? 'More than 100' : items.length} wait for a person`;

const rateOf = ({ orders, paid }: Pick<Sales, 'orders' | 'paid'>): string =>
  orders === 0 ? '–' : `${Math.round((paid / orders) * 100)} %`;

const seconds = (value: number | null): string => (value === null ? '–' : duration(value));

const SERVICE = {
  ok: 'answers',
  silent: 'does not answer: new orders are refused',
  refuses: 'refuses the key, or five pays in a row: see service_message in the log',
} as const;

type Fact = readonly [name: string, value: string | TemplateResult];

const linked = (text: string, href: string): TemplateResult => html`<a href=${href}>${text}</a>`;

/** A purchase with several orders counts once; those that wait for a person come first. */
const OPEN = [
  ['review', 'Purchases in review'],
  ['unmapped', 'Purchases with an unmapped status'],
  ['confirming', 'Purchases that are confirming'],
  ['pending', 'Purchases that are pending'],
] as const;

function hanging({ gauges }: Answers['state'], { events_stopped }: Answers['todo']): Fact[] {
  const { lists_held_back_seconds, orders_oldest_seconds, orders_open, outbox_waiting } = gauges;
  const open = OPEN.map(([outcome, name]): Fact => {
    const count = orders_open[outcome];
    if (count === 0) return [name, 'none'];
    const age = duration(orders_oldest_seconds[outcome]);
    // the list has orders by their outcome, and a paid one may be in review too
    const href = outcome === 'review' ? hashOf('todo') : hashOf('orders', '', { outcome });
    return [name, linked(`${count}, the oldest for ${age}`, href)];
  });
  const events = [
    outbox_waiting > 0 &&
      `${outbox_waiting} wait, the oldest for ${duration(gauges.outbox_lag_seconds)}`,
    events_stopped > 0 && `${events_stopped} not received, and not tried any more`,
  ].filter((text) => text !== false);
  return [
    ...open,
    [
      'Events for the shop',
      events.length === 0
        ? 'none waits'
        : linked(events.join('; '), hashOf('events', '', { undelivered: 'yes' })),
    ],
    ...(lists_held_back_seconds > 0
      ? [['Lists', `held back for ${duration(lists_held_back_seconds)}`] as const]
      : []),
  ];
}

function serviceAndRelays({
  gauges,
  instance,
  relays,
  service,
  upstream,
}: Answers['state']): Fact[] {
  const others = relays.filter((name) => name !== instance);
  return [
    ['Ledger', gauges.ledger_read_only ? 'cannot be written: new orders are refused' : 'works'],
    ['Order service', SERVICE[service]],
    ['Circuit breaker', gauges.breaker_open ? 'open: no order is sent' : 'closed'],
    ...upstreamFacts(upstream),
    [
      'Queries',
      `${gauges.queries_per_second} a second for this relay, ${gauges.queries_queued} wait`,
    ],
    ['This relay', instance],
    ['Other relays', others.join(', ') || 'none'],
  ];
}

/** Of this relay alone, since its process began. */
function upstreamFacts({ half_s, most_s, results }: Answers['state']['upstream']): Fact[] {
  const counts = Object.entries(results).map(([result, count]) => `${count} ${words(result)}`);
  if (counts.length === 0) return [['Calls of the service', 'none since this relay began']];
  return [
    ['Calls of the service', `${counts.join(', ')} since this relay began`],
    ['Their latency', `half ended ${within(half_s)}, 95 % ${within(most_s)}`],
  ];
}

const within = (bound: number | null): string =>
  bound === null ? 'later than the metric measures' : `within ${bound} s`;

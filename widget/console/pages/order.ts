/** One order: what was bought, its timeline, and what a person may do. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Answers } from '../api.js';
import { counted, duration, howOften, money, moment, tried, words } from '../format.js';
import type { Page, Shown } from '../page.js';
import {
  button,
  facts,
  field,
  isActing,
  onSubmit,
  outcome,
  payBackNote,
  payBackOf,
  table,
  time,
} from '../parts.js';
import { hashOf } from '../route.js';

type Data = Answers['orders/show'];
type Entry = Data['timeline'][number];
type Order = Data['orders'][number];
type Review = Data['reviews'][number];

export const order: Page<Data> = {
  title: 'Order',
  load: (api, { id }) => api.call('orders/show', { id }),
  view: (data, shown) => {
    const { intent, orders, reviews } = data;
    return html`
      <p class="money">
        ${money(intent.amount, intent.currency)} ${outcome(shownOrder(data)?.outcome ?? null)}
      </p>
      ${orders.map(payBackNote)}
      <p>
        <bdi>${intent.product_name}</bdi> for ${customer(intent)}, opened
        ${time(intent.created_at)}${
          intent.closed_at === null ? nothing : html`, closed ${time(intent.closed_at)}`
        }
      </p>
      ${repeat(
        reviews,
        ({ request_id }) => request_id,
        (review) => decision(review, data, shown),
      )}
      ${actions(data, shown)}
      ${table(
        orders.length === 1 ? 'One order' : `${orders.length} orders of this intent`,
        ['', ...ORDER_HEAD],
        orders.map((each) => [
          checkButton(each, reviews.length === 0 && each === shownOrder(data), shown),
          html`<bdi class="id">${each.request_id}</bdi>`,
          html`<bdi class="id">${each.order_no ?? '–'}</bdi>`,
          each.option,
          html`${outcome(each.outcome)} ${payBackOf(each)}`,
          each.status ?? '–',
          time(each.paid_at),
          time(each.next_check_at),
        ]),
        'No order was placed.',
      )}
      <h2>What happened</h2>
      ${strip(data.timeline)}
      <ol class="timeline">
        ${data.timeline.map((entry, index) =>
          row(entry, data.timeline[index - 1], {
            button: resendButton(entry, data, shown),
            isNamed: orders.length > 1,
          }),
        )}
      </ol>
      ${details(intent)} ${eraseButton(intent, shown)}
    `;
  },
};

/** Nothing is found by what stands for an erased customer. */
const customer = ({ customer_ref_id, erased_at }: Data['intent']) =>
  erased_at === null
    ? html`<a href=${hashOf('orders', '', { find: customer_ref_id })}
        ><bdi>${customer_ref_id}</bdi></a
      >`
    : customer_ref_id;

const ORDER_HEAD = [
  ...['Reference', 'Number at the service', 'Option', 'Outcome', 'Status', 'Paid', 'Asked next'],
];

/** The order that the customer sees. */
const shownOrder = ({ orders, shown_request_id }: Data): Order | undefined =>
  orders.find(({ request_id }) => request_id === shown_request_id);

/** The service has no order of which nothing was sent, or whose request is under way. */
const NOT_ASKED: readonly Order['sending'][] = ['unsent', 'claimed'];

/** @param isMain of the order that the customer sees, unless a decision is the main thing */
function checkButton({ request_id, sending }: Order, isMain: boolean, { act }: Shown) {
  if (NOT_ASKED.includes(sending)) return nothing;
  const check = (): void => act('orders/check', { id: request_id }, { done: checkedText });
  return button('Check now', check, { name: `Check now: ${request_id}`, isMain });
}

type Checked = Answers['orders/check'];

/** What a person reads after the service was asked about an order. */
const checkedText = (checked: Checked): string => {
  const { answer, message, status } = checked;
  const said = {
    answered: `The service says status ${status}`,
    not_found: 'The service knows no such order',
    no_answer: `The service gave no usable answer: ${message}`,
    not_asked: `The service was not asked: ${message}`,
  }[answer];
  return `${said}. ${newsOf(checked)}.`;
};

/** What the answer changed, and what a person must do about it. */
function newsOf({ changed, order: { outcome: now, review_reason } }: Checked) {
  if (changed.length === 0) return 'Nothing changed';
  const waits = review_reason && `waits for your decision (${words(review_reason)})`;
  if (now === 'review') return `It ${waits}`;
  const refunds = [
    changed.some(({ duplicate }) => duplicate) && ', a second payment',
    changed.some(({ late_payment }) => late_payment) && ', paid after the close',
  ].filter((text) => text !== false);
  const refund = refunds.length === 0 ? '' : `${refunds.join('')}: give it back`;
  return `It is ${words(now)} now${waits ? `, and ${waits}` : ''}${refund}`;
}

function resendButton({ event_id, type, what }: Entry, { intent }: Data, shown: Shown) {
  // an event stands in the timeline once more for each delivery; what is erased is sent no more
  if (event_id === undefined || what !== 'event' || intent.erased_at !== null) return nothing;
  if (!isActing(shown)) return nothing;
  const resend = (): void =>
    shown.act(
      'events/resend',
      { event_id },
      { done: () => `${type} will be delivered again, with the same id and body.` },
    );
  return button('Resend', resend, { name: `Resend ${type}` });
}

function actions(data: Data, shown: Shown) {
  if (!isActing(shown)) return nothing;
  const { intent } = data;
  const seen = shownOrder(data);
  const copy = (id: string): void =>
    shown.act(
      'orders/link',
      { id },
      {
        done: async ({ url }) => {
          // a page over plain http has no clipboard, and a person may forbid it
          const copied = navigator.clipboard?.writeText(url).then(
            () => true,
            () => false,
          );
          return `${(await copied) ? 'Copied' : 'Copy this link'}: ${url}`;
        },
      },
    );
  return html`${
    seen
      ? html`<div class="row">
          ${button('Copy link for the customer', () => copy(seen.request_id))}
        </div>`
      : nothing
  }
  ${
    intent.closed_at === null && intent.paid_request_id === null
      ? html`<form
          class="filters"
          @submit=${onSubmit(({ reason = '' }) => closeIntent(intent, reason, shown))}
        >
          ${field('reason', 'Reason to close', { required: true })}
          <button>Close</button>
        </form>`
      : nothing
  }`;
}

const closeIntent = (intent: Data['intent'], reason: string, { act }: Shown): void =>
  act(
    'intents/close',
    { id: intent.intent_id, reason },
    {
      question:
        `Close ${intent.intent_id} of ${money(intent.amount, intent.currency)}? It takes no more ` +
        'orders. Money that comes later is reported as a late payment. The service is asked first.',
      done: ({ closed_at, unanswered }) => {
        const silent = unanswered.map(
          (id) => ` The service gave no answer about ${id}, which may be paid: check it again.`,
        );
        return `Closed at ${moment(closed_at)}.${silent.join('')}`;
      },
    },
  );

function eraseButton({ customer_ref_id: id, erased_at }: Data['intent'], shown: Shown) {
  if (!isActing(shown) || erased_at !== null) return nothing;
  const erase = (): void =>
    shown.act(
      'customers/erase',
      { id },
      {
        question:
          `Erase all data of ${id}? Amounts, times and order numbers stay. ` +
          'It cannot be undone.',
        done: ({ events, intents, links, pay_back }) =>
          `Erased: ${counted(intents, 'purchase')}, ${counted(events, 'event')}, ` +
          `${counted(links, 'pay link')}.` +
          pay_back.map((each) => ` Look whether ${each} was paid back.`).join(''),
      },
    );
  return html`<div class="row">${button("Erase this customer's data", erase)}</div>`;
}

/** The form that ends a review, with the evidence beside it. */
const decision = (review: Review, { orders }: Data, shown: Shown) => {
  const isPaid = orders.some(
    (each) => each.request_id === review.request_id && each.outcome === 'succeeded',
  );
  const { asked, request_id, status } = review;
  const end = ({ as = '', note = '' }): void =>
    shown.act(
      'orders/resolve',
      { id: request_id, as, note, status },
      {
        question:
          `Say that the order ${request_id} of ${money(asked.amount, asked.currency)} ${as}? ` +
          'The decision is final.',
        done: ({ order: resolved }) => `The order ${words(resolved.outcome)}.`,
      },
    );
  return html`<section class="review">
    <h2>Waits for your decision: ${words(review.review_reason)}</h2>
    ${facts(evidenceOf(review))}
    <p>${review.for_shop}</p>
    <blockquote>${review.for_customer}</blockquote>
    ${
      isActing(shown)
        ? html`<form class="filters" @submit=${onSubmit(end)}>
            <label
              >Decision
              <select name="as" required>
                <option value="">choose</option>
                <option value="succeeded">
                  succeeded: ${isPaid ? 'only end the review' : 'keep the payment'}
                </option>
                ${
                  isPaid
                    ? nothing
                    : html`<option value="failed">failed: no money, or pay it back</option>`
                }
              </select></label
            >
            ${field('note', 'Why', { required: true })}
            <button class="primary">Decide</button>
          </form>`
        : html`<p>You may read; somebody with the role act decides.</p>`
    }
  </section>`;
};

const evidenceOf = (review: Review): Parameters<typeof facts>[0] => {
  const { asked, code_amount, difference, echoed, payee, request_id, status } = review;
  const named =
    echoed.amount === null
      ? (echoed.currency ?? 'no amount')
      : money(echoed.amount, echoed.currency ?? asked.currency);
  const charged =
    code_amount?.amount === undefined
      ? `what the customer types, in ${code_amount?.currency}`
      : money(code_amount.amount, code_amount.currency);
  return [
    ['Order', html`<span class="id">${request_id}</span>`],
    ['We asked for', money(asked.amount, asked.currency)],
    ['The service named', named],
    ['Its last status', status ?? 'none'],
    ...optional('Difference', difference && money(difference, asked.currency)),
    ...optional('The code charges', code_amount && charged),
    ...optional('The code pays', payee),
  ];
};

const optional = (name: string, value: string | null): [string, string][] =>
  value === null ? [] : [[name, value]];

const NAMES: Record<string, string> = {
  opened: 'Opened',
  claimed: 'Claimed',
  claimed_again: 'Claimed again',
  answered: 'The service answered',
  refused: 'The service refused',
  lost: 'The answer was lost',
  unsent: 'Nothing was sent',
  status: 'The service named a status',
  outcome: 'The outcome changed',
  review: 'Went to review',
  code_expired: 'The time to pay ended',
  resolved: 'Decided',
  closed: 'Closed',
  erased: 'Data erased',
  event: 'Event for the shop',
  delivered: 'The shop received it',
  delivered_again: 'The shop received it again',
  not_delivered: 'The shop did not receive it',
  resent: 'Sent again',
  signals: 'The service signalled',
  omitted: 'Older facts were left out',
};

/** @param beside `isNamed`: the purchase has several orders, so the entry names its own */
function row(
  entry: Entry,
  before: Entry | undefined,
  { button, isNamed }: { button: TemplateResult | typeof nothing; isNamed: boolean },
) {
  const facts = [
    isNamed ? (entry.request_id ?? '') : '',
    entry.status === undefined ? '' : `status ${entry.status}`,
    entry.outcome ? words(entry.outcome) : '',
    entry.review_reason ? words(entry.review_reason) : '',
    entry.duplicate ? 'a second payment' : '',
    entry.late ? 'late' : '',
    entry.late_payment ? 'after the close' : '',
    entry.type ?? '',
    entry.tries === undefined ? '' : tried(entry.tries),
    entry.last_failure ?? '',
    entry.next_try_at ? `next try ${moment(entry.next_try_at)}` : '',
    entry.omitted === undefined ? '' : String(entry.omitted),
    entry.signals === undefined ? '' : howOften(entry.signals),
    entry.last_at && entry.last_at !== entry.at ? `the last ${moment(entry.last_at)}` : '',
    entry.by ? `by ${entry.by}` : '',
    entry.note ?? '',
  ].filter((text) => text !== '');
  const gap = before ? (Date.parse(entry.at) - Date.parse(before.at)) / 1000 : 0;
  const look = entry.what === 'not_delivered' ? 'missed' : entry.source;
  return html`<li class=${look}>
    ${time(entry.at)}
    <span class="gap">${gap >= 1 ? `+${duration(gap)}` : ''}</span>
    <span
      ><b>${NAMES[entry.what] ?? words(entry.what)}</b>
      <bdi>${facts.join(', ')}</bdi>
      ${
        entry.event_id === undefined
          ? nothing
          : html`<a href=${hashOf('events', entry.event_id)}>show the event</a>`
      }
      ${button}
      <small>${entry.source}</small></span
    >
  </li>`;
}

const WIDTH = 1000;

/** The same facts as marks on a line, to scale; a moment has no scale. */
function strip(timeline: readonly Entry[]) {
  const times = timeline.map(({ at }) => Date.parse(at));
  const [first = 0] = times;
  const span = (times.at(-1) ?? first) - first;
  if (span < 1000) return nothing;
  const x = (at: number): number => 10 + ((at - first) / span) * (WIDTH - 20);
  return html`<figure aria-hidden="true">
    <svg class="strip" viewBox="0 0 ${WIDTH} 28" preserveAspectRatio="none">
      <line x1="10" y1="14" x2=${WIDTH - 10} y2="14"></line>
      ${timeline.map(
        (entry, index) =>
          svg`<rect
            class=${entry.source}
            x=${x(times[index] ?? first) - 3}
            y="4"
            width="6"
            height="20"
            rx="2"
          ></rect>`,
      )}
    </svg>
    <figcaption>${duration(span / 1000)} from the first fact to the last</figcaption>
  </figure>`;
}

const details = (intent: Data['intent']) =>
  html`<details>
    <summary>All fields</summary>
    ${facts(
      Object.entries(intent).map(([name, value]) => [
        words(name),
        typeof value === 'object' ? JSON.stringify(value) : value,
      ]),
    )}
  </details>`;

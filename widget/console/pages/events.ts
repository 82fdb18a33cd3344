/** The events for the shop, and what its backend answered. */
import { html, nothing } from 'lit';
import type { Answers } from '../api.js';
import { moment, tried } from '../format.js';
import { following, type Page, type Shown } from '../page.js';
import {
  button,
  check,
  isActing,
  moreButton,
  none,
  onSubmit,
  orderLink,
  table,
  time,
} from '../parts.js';
import { hashOf, type Route } from '../route.js';

type Data = Answers['events/list'];
type ShopEvent = Data['events'][number];

const inputOf = ({ filters }: Route): object =>
  filters.undelivered === undefined ? {} : { undelivered: true };

export const events: Page<Data> = {
  title: 'Events',
  load: (api, route) => api.call('events/list', inputOf(route)),
  next: (api, route, data) =>
    following(data, async (cursor) => {
      const next = await api.call('events/list', { ...inputOf(route), cursor });
      return { ...next, events: [...data.events, ...next.events] };
    }),
  form: (shown) =>
    html`<form
      class="filters"
      @submit=${onSubmit((fields) => shown.go(hashOf('events', '', fields)))}
    >
      ${check('undelivered', 'Not delivered', shown.route.filters.undelivered)}
      <button>Filter</button>
      ${
        isActing(shown)
          ? button('Send all that were not delivered again', () => resendAll(shown))
          : nothing
      }
    </form>`,
  view: ({ cursor, events: all }, shown) => html`
    ${table(
      'Events, the newest first',
      ['Time', 'Type', 'Purchase', 'Delivery', 'Event'],
      all.map((event) => [
        time(event.created_at),
        event.type,
        orderLink(event.intent_id),
        delivery(event),
        html`<a class="id" href=${hashOf('events', event.id)}>${event.id}</a>`,
      ]),
      none('There is no such event.', cursor),
    )}
    ${moreButton(cursor, shown)}
  `,
};

/** A person may have sent an event again that the shop has received before. */
function delivery(event: ShopEvent): string {
  const { delivered_at, resent_at } = event;
  if (delivered_at === null) return waitOf(event);
  const received = `delivered ${moment(delivered_at)}`;
  const isReceived = resent_at === null || resent_at <= delivered_at;
  return isReceived ? received : `${received}, sent again: ${waitOf(event)}`;
}

function waitOf({ last_failure, next_try_at, tries }: ShopEvent): string {
  if (next_try_at !== null) return tries > 0 ? `${last_failure}, ${tried(tries)}` : 'waits';
  return tries > 0 ? `given up: ${last_failure}` : 'no receiver is configured';
}

const resendAll = ({ act }: Shown): void =>
  act(
    'events/resend',
    { undelivered: true },
    {
      question: 'Send all events again that the shop has not received?',
      done: ({ resent }) => `${resent} will be delivered again.`,
    },
  );

const resendOne = ({ id }: ShopEvent, { act }: Shown): void =>
  act(
    'events/resend',
    { event_id: id },
    { done: () => 'It will be delivered again, with the same id and body.' },
  );

/** One event with the body that is sent. */
export const event: Page<Answers['events/show']> = {
  title: 'Event',
  load: (api, { id }) => api.call('events/show', { event_id: id }),
  view: ({ body, event: shownEvent }, shown) => html`
    <p>${shownEvent.type} of ${orderLink(shownEvent.intent_id)}, ${time(shownEvent.created_at)}</p>
    <p>
      ${delivery(shownEvent)}${
        shownEvent.resent_at === null
          ? nothing
          : html`; asked for again by
              <bdi>${shownEvent.resent_by ?? "the shop's backend"}</bdi>
              ${time(shownEvent.resent_at)}`
      }
    </p>
    ${
      isActing(shown) && !shownEvent.erased
        ? button('Resend', () => resendOne(shownEvent, shown), { isMain: true })
        : nothing
    }
    <h2>${shownEvent.erased ? 'What is left of the body' : 'The body, as it is sent'}</h2>
    <pre tabindex="0">${pretty(body)}</pre>
  `,
};

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

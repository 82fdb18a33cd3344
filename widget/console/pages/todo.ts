/** Everything that waits for a person, the oldest first. */
import { html, nothing } from 'lit';
import type { Answers } from '../api.js';
import { money, since, words } from '../format.js';
import type { Page } from '../page.js';
import { hashOf } from '../route.js';

const REFRESH_MS = 10_000;
/** The ledger reads the newest of very many events. */
const MORE = 'There are more; of those that were read, these are the oldest.';

const KINDS = {
  review: 'Decide',
  unmapped: 'Name the status',
  confirming: 'Look it up',
  undelivered: 'Let the shop receive it',
} as const;

type Item = Answers['todo']['items'][number];

const idOf = ({ intent_id, request_id }: Item): string => request_id ?? intent_id;

export const todo: Page<Answers['todo']> = {
  title: 'To do',
  everyMs: REFRESH_MS,
  load: (api) => api.call('todo'),
  view: ({ items, more }, { now }) =>
    items.length === 0
      ? html`<p class="empty">Nothing waits for a person.</p>`
      : html`<ul class="tasks">
            ${items.map(
              (item) =>
                html`<li>
                  <p>
                    <a
                      href=${hashOf('orders', idOf(item))}
                      aria-label=${`${KINDS[item.kind]}: ${idOf(item)}`}
                      ><b>${KINDS[item.kind]}</b></a
                    >
                    <span class="outcome ${item.kind}">${words(item.kind)}</span>
                    ${money(item.amount, item.currency)}
                    ${item.reason === null ? nothing : html`<bdi>${words(item.reason)}</bdi>`}
                    <small>for ${since(item.since, now)}</small>
                  </p>
                  <p>${item.what_to_do}</p>
                  <bdi class="id">${idOf(item)}</bdi>
                </li>`,
            )}
          </ul>
          ${more ? html`<p class="hint">${MORE}</p>` : nothing}`,
};

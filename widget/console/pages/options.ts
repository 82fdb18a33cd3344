/** The ways to pay, and their switches. */
import { html, nothing } from 'lit';
import type { Answers } from '../api.js';
import type { Page, Shown } from '../page.js';
import { button, isActing, onSubmit, table, time } from '../parts.js';

type Data = Answers['options/list'];
type Option = Data['options'][number];

export const options: Page<Data> = {
  title: 'Options',
  load: (api) => api.call('options/list'),
  view: ({ options: all }, shown) => html`
    ${
      all.some(({ offered }) => offered)
        ? nothing
        : html`<p class="warning">
            No option is offered. Customers read: “No way to pay is available right now. Please
            contact the shop.”
          </p>`
    }
    ${table(
      'Ways to pay',
      ['Option', 'Customers', 'Last switched', 'Message', ''],
      all.map((option) => [
        html`<b>${option.id}</b>`,
        state(option),
        option.by === null
          ? '–'
          : html`<bdi>${option.by}</bdi>, ${time(option.at)}${option.earlier.map(before)}`,
        html`<bdi>${Object.values(option.message ?? {}).join(' / ')}</bdi>`,
        isActing(shown) ? switchForm(option, shown) : nothing,
      ]),
      'The configuration has no option.',
    )}
    <p class="hint">
      All relays follow within a second. Orders that stand go on. The message is for a customer
      whose page still shows the option.
    </p>
  `,
};

const before = ({ at, by, off }: Option['earlier'][number]) =>
  html`<div class="hint">before: ${off ? 'off' : 'on'}, <bdi>${by}</bdi>, ${time(at)}</div>`;

const state = ({ enabled, offered, switched_off }: Option): string => {
  if (offered) return 'may choose it';
  if (switched_off) return 'do not see it: switched off';
  return enabled ? 'do not see it' : 'do not see it: enabled is false';
};

function switchForm({ id, switched_off }: Option, { act }: Shown) {
  const onText = ({ options: now }: Data): string =>
    now.some((each) => each.id === id && each.offered)
      ? `${id} is offered again.`
      : `${id} is switched on, and not offered: enabled is false.`;
  if (switched_off) return button('Switch on', () => act('options/on', { id }, { done: onText }));
  const off = ({ message = '' }): void =>
    act(
      'options/off',
      { id, ...(message !== '' && { message: { en: message } }) },
      {
        question: `Switch ${id} off for all customers?`,
        done: () => `${id} is switched off.`,
      },
    );
  return html`<form class="filters" @submit=${onSubmit(off)}>
    <label
      ><input
        name="message"
        aria-label=${`Message to customers about ${id}`}
        placeholder="message: Back at six o’clock"
        maxlength="200"
        autocomplete="off"
    /></label>
    <button>Switch off</button>
  </form>`;
}

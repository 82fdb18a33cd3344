/** Who may sign in to the console: passkeys, and the operator keys. */
import { html, nothing } from 'lit';
import type { Answers } from '../api.js';
import { moment } from '../format.js';
import type { Page, Shown } from '../page.js';
import { button, field, isActing, onSubmit, table, time } from '../parts.js';
import { makePasskey } from '../passkey.js';

type Data = Answers['access/list'];
type Passkey = Data['passkeys'][number];

export const access: Page<Data> = {
  title: 'Access',
  load: (api) => api.call('access/list'),
  view: (data, shown) => html`
    ${table(
      'Passkeys',
      ['Name', 'Whose', 'Opens the console at', 'Added', ''],
      data.passkeys.map((passkey) => [
        html`<bdi>${passkey.name}</bdi>`,
        html`<bdi>${passkey.operator}</bdi>`,
        passkey.usable ? passkey.host : html`<del>${passkey.host}</del> not in the configuration`,
        time(passkey.added_at),
        removeButton(passkey, shown),
      ]),
      'There is no passkey yet.',
    )}
    ${data.why_none === null ? addForm(shown) : html`<p class="hint">${data.why_none}</p>`}
    <h2>Operator keys</h2>
    ${keysOf(data, shown)}
    ${table(
      'What was changed, the newest first',
      ['Time', 'Who', 'What'],
      data.acts.map(({ at, by, name, what }) => [
        time(at),
        html`<bdi>${by}</bdi>`,
        html`${ACTS[what]} ${name === null ? nothing : html`<bdi>${name}</bdi>`}`,
      ]),
      'Nothing was changed.',
    )}
  `,
};

const ACTS = {
  passkey_added: 'added the passkey',
  passkey_removed: 'removed the passkey',
  keys_off: 'switched the operator keys off',
  keys_on: 'switched the operator keys on',
} as const;

function addForm({ act, session }: Shown) {
  const add = ({ name = '' }: Record<string, string>, form: HTMLFormElement): void =>
    act(
      'access/add',
      async (api) => ({
        name,
        credential: await makePasskey(await api.call('access/challenge')),
      }),
      {
        done: () => {
          form.reset();
          return `Added. The next time, “Use a passkey” signs ${session.name} in.`;
        },
      },
    );
  return html`<form class="filters" @submit=${onSubmit(add)}>
    ${field('name', 'Name of the device', { required: true, placeholder: 'Ann’s laptop' })}
    <button>Add a passkey</button>
  </form>`;
}

function removeButton({ id, name, operator, used_now }: Passkey, shown: Shown) {
  if (operator !== shown.session.name && !isActing(shown)) return nothing;
  const remove = (): void =>
    shown.act(
      'access/remove',
      { id },
      {
        question: `Remove the passkey ${name}? ${
          used_now ? 'It has opened this session, which ends.' : 'Its sessions end.'
        }`,
        done: ({ acts }) => `Removed at ${moment(acts[0]?.at ?? '')}.`,
      },
    );
  return button('Remove', remove, { name: `Remove ${name}` });
}

function keysOf({ keys_always_open, keys_off }: Data, shown: Shown) {
  const change = (off: boolean): void =>
    shown.act(
      'access/keys',
      { off },
      {
        ...(off && {
          question:
            'Switch the operator keys off for the console? Sessions that a key has opened end. ' +
            'Programs go on reading /metrics by their key.',
        }),
        done: () =>
          off ? 'The keys do not open the console any more.' : 'The keys open the console again.',
      },
    );
  return html`<p class="row">
      ${keys_off && !keys_always_open ? 'They do not open the console.' : 'They open the console.'}
      ${isActing(shown) && keys_off ? button('Switch the keys on', () => change(false)) : nothing}
      ${isActing(shown) && !keys_off ? button('Switch the keys off', () => change(true)) : nothing}
    </p>
    ${
      keys_off && keys_always_open
        ? html`<p class="warning">
            Somebody has switched the keys off, and the configuration says
            <code>operator.keys_always_open</code>.
          </p>`
        : nothing
    }`;
}

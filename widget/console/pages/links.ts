/** Pay links that the shop sent or printed. */
import { html, nothing } from 'lit';
import type { Answers } from '../api.js';
import { money, moment } from '../format.js';
import type { Page, Shown } from '../page.js';
import { isActing, moreButton, table, time } from '../parts.js';
import { hashOf } from '../route.js';

type Data = Answers['links/list'];
type Link = Data['links'][number];

export const links: Page<Data> = {
  title: 'Links',
  load: (api) => api.call('links/list'),
  next: async (api, _route, data) => {
    if (data.cursor === null) return data;
    const next = await api.call('links/list', { cursor: data.cursor });
    return { ...next, links: [...data.links, ...next.links] };
  },
  view: ({ cursor, links: all }, shown) => html`
    ${table(
      'Pay links, the one that ends last first',
      ['Link', 'Amount', 'For', 'Used', 'Ends', ''],
      all.map((link) => [
        html`<a class="id" href=${hashOf('orders', '', { find: link.pay_link_id })}
          ><bdi>${link.pay_link_id}</bdi></a
        >`,
        money(link.amount, link.currency),
        html`<bdi>${link.product_name}</bdi> <small><bdi>${link.customer_ref_id}</bdi></small>`,
        link.used === null ? 'single use' : `${link.used} of ${link.uses}`,
        time(link.expires_at),
        html`${end(link, shown)} ${erased(link)}`,
      ]),
      'The shop has made no pay link.',
    )}
    ${moreButton(cursor, shown)}
  `,
};

const erased = ({ erased_at, erased_by }: Link) =>
  erased_at === null
    ? nothing
    : html`<div>erased by <bdi>${erased_by}</bdi>, ${time(erased_at)}</div>`;

function end({ expires_at, pay_link_id, revoked_at, revoked_by }: Link, shown: Shown) {
  if (revoked_at !== null)
    return html`<div>
      revoked by <bdi>${revoked_by ?? "the shop's backend"}</bdi>, ${time(revoked_at)}
    </div>`;
  if (Date.parse(expires_at) <= shown.now) return html`<div>ended</div>`;
  if (!isActing(shown)) return nothing;
  const revoke = (): void =>
    shown.act(
      'links/revoke',
      { id: pay_link_id },
      {
        question: 'Revoke this link? Nobody can pay by it any more. Orders that stand go on.',
        done: (answer) => `Revoked at ${moment(answer.revoked_at)}.`,
      },
    );
  return html`<button type="button" @click=${revoke}>Revoke</button>`;
}

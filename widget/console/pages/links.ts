/** Pay links that the shop sent or printed. */
import { html, nothing } from 'lit';
import type { Answers } from '../api.js';
import { money, moment } from '../format.js';
import { following, type Page, type Shown } from '../page.js';
import { button, isActing, moreButton, table, time } from '../parts.js';
import { hashOf } from '../route.js';

type Data = Answers['links/list'];
type Link = Data['links'][number];

export const links: Page<Data> = {
  title: 'Links',
  load: (api) => api.call('links/list'),
  next: (api, _route, data) =>
    following(data, async (cursor) => {
      const next = await api.call('links/list', { cursor });
      return { ...next, links: [...data.links, ...next.links] };
    }),
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

function end(link: Link, shown: Shown) {
  const { amount, currency, customer_ref_id, over, pay_link_id } = link;
  const { revoked_at, revoked_by } = link;
  if (revoked_at !== null)
    return html`<div>
      revoked by <bdi>${revoked_by ?? "the shop's backend"}</bdi>, ${time(revoked_at)}
    </div>`;
  if (over) return html`<div>ended</div>`;
  if (!isActing(shown)) return nothing;
  const revoke = (): void =>
    shown.act(
      'links/revoke',
      { id: pay_link_id },
      {
        question:
          `Revoke the link ${pay_link_id} of ${money(amount, currency)} for ${customer_ref_id}? ` +
          'Nobody can pay by it any more. Orders that stand go on.',
        done: (answer) => `Revoked ${pay_link_id} at ${moment(answer.revoked_at)}.`,
      },
    );
  return button('Revoke', revoke);
}

/** `pay-checkout-relay links …`: lists pay links, and revokes them. */
import type { z } from 'zod';
import { listLinks, revokeLink } from '../operator/links.js';
import type { linksShape } from '../operator/shapes.js';
import { readBy, readLimit, readText, withActions } from './actions.js';
import { TEXT } from './arguments.js';
import { withStore } from './operator-context.js';
import { footer, moment, momentInZone, print, printable, table } from './table.js';

const usage = `usage: pay-checkout-relay links list --config FILE [--limit N] [--cursor TEXT]
       pay-checkout-relay links revoke PAY_LINK_ID --config FILE --by NAME`;

export const links = withActions(usage, {
  list: {
    takes: 'none',
    flags: { limit: TEXT, cursor: TEXT },
    run: async (given) => {
      const page = { limit: readLimit(given), cursor: readText(given, 'cursor', 500) };
      const found = await withStore(given.config, 'reads', (context) => listLinks(context, page));
      print(given.isJson, found, listedText);
    },
  },
  revoke: {
    takes: 'one',
    flags: { by: TEXT },
    run: async (given) => {
      const by = readBy(given);
      const revoked = await withStore(given.config, 'writes', (context) =>
        revokeLink(context, given.id, by),
      );
      print(given.isJson, revoked, ({ pay_link_id, revoked_at, revoked_by }) => {
        const who = printable(revoked_by ?? "the shop's backend");
        return `${pay_link_id} revoked by ${who} at ${momentInZone(revoked_at)}\n`;
      });
    },
  },
});

function listedText({ cursor, links: found }: z.infer<typeof linksShape>): string {
  if (found.length === 0) return 'no pay link\n';
  const rows = found.map((link) => [
    link.pay_link_id,
    `${link.amount} ${link.currency}`,
    link.product_name,
    link.customer_ref_id,
    link.used === null ? 'single use' : `${link.used} of ${link.uses}`,
    [
      link.revoked_at === null
        ? `until ${moment(link.expires_at)}`
        : `revoked ${moment(link.revoked_at)} by ${link.revoked_by ?? "the shop's backend"}`,
      ...(link.erased_at === null ? [] : [`erased ${moment(link.erased_at)} by ${link.erased_by}`]),
    ].join(', '),
  ]);
  const head = ['link', 'amount', 'product', 'customer', 'used', 'state'];
  return table([head, ...rows], { whole: [0, 3, 5] }) + footer(cursor);
}

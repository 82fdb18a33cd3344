/** `pay-checkout-relay customers erase`: takes a customer's data out of the ledger. */
import { erase } from '../operator/erase.js';
import { readBy, withActions } from './actions.js';
import { TEXT } from './arguments.js';
import { withStore } from './operator-context.js';
import { print, printable } from './table.js';

const usage = `usage: pay-checkout-relay customers erase CUSTOMER_REF_ID --config FILE --by NAME
It is refused while an order may still be paid, an event is undelivered or a pay link is open.
Amounts, times and identifiers of orders stay: the shop must account for them.`;

export const customers = withActions(usage, {
  erase: {
    takes: 'one',
    flags: { by: TEXT },
    run: async (given) => {
      const by = readBy(given);
      const erased = await withStore(given.config, 'events', (context) =>
        erase(context, given.id, by, (intents) => given.progress.set(`${intents} intents erased`)),
      );
      print(
        given.isJson,
        erased,
        ({ customer_ref_id, events, intents, links, pay_back }) =>
          `${printable(customer_ref_id)} erased: ${intents} intents, ${events} events, ` +
          `${links} pay links\n` +
          pay_back.map((id) => `look whether ${id} was paid back: run orders show\n`).join(''),
      );
    },
  },
});

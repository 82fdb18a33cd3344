/** `pay-checkout-relay intents close`: an intent takes no more orders. */
import { closeById } from '../operator/close.js';
import { readBy, readText, TEXT, withActions } from './actions.js';
import { closeDeps, withService } from './operator-context.js';
import { moment, print, printable } from './table.js';

const usage = `usage: pay-checkout-relay intents close ID --config FILE --by NAME [--reason TEXT]
ID: an intent_id, a request_id or an order_no. The service is asked about each order first; a paid
intent is not closed. Money that comes later is reported as order.late_payment.`;

const MAX_REASON_CHARACTERS = 500;

export const intents = withActions(usage, {
  close: {
    takes: 'one',
    flags: { by: TEXT, reason: TEXT },
    run: async (given) => {
      const reason = readText(given, 'reason', MAX_REASON_CHARACTERS) ?? null;
      const by = readBy(given);
      const closed = await withService(given.config, (context) =>
        closeById(closeDeps(context), { id: given.id, reason, by }),
      );
      print(given.isJson, closed, ({ closed_at, intent_id }) => {
        return `${printable(intent_id)} closed at ${moment(closed_at)}\n`;
      });
    },
  },
});

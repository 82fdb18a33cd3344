/** `pay-checkout-relay intents close`: an intent takes no more orders. */
import { closeById } from '../operator/close.js';
import { readBy, readSentence, withActions } from './actions.js';
import { FLAG, TEXT } from './arguments.js';
import { closeDeps, withService } from './operator-context.js';
import { momentInZone, print, printable } from './table.js';

const usage = `usage: pay-checkout-relay intents close ID --config FILE --by NAME [--reason TEXT]
         [--unused]
ID: an intent_id, a request_id or an order_no. The service is asked about each order first; a paid
intent is not closed. The answer names each order about which the service was silent. Money that
comes later is reported as order.late_payment.
An ID that no purchase has is refused. With --unused it is closed all the same: as the jti of an
order token that no customer has used yet.`;

export const intents = withActions(usage, {
  close: {
    takes: 'one',
    flags: { by: TEXT, reason: TEXT, unused: FLAG },
    run: async (given) => {
      const reason = readSentence(given, 'reason') ?? null;
      const by = readBy(given);
      const unused = given.values.unused === true;
      const closed = await withService(given.config, 'events', (context) =>
        closeById(closeDeps(context), { id: given.id, reason, by, unused }),
      );
      print(given.isJson, closed, ({ closed_at, intent_id, unanswered }) => {
        const silent = unanswered.map(
          (id) => `the service gave no answer about ${id}, which may be paid: run orders check\n`,
        );
        return `${printable(intent_id)} closed at ${momentInZone(closed_at)}\n${silent.join('')}`;
      });
    },
  },
});

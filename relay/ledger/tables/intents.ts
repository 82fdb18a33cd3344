/** Reads of intents with their orders. */
import { orderInIntent, type Intent } from '../intent.js';
import type { Ledger } from '../ledger.js';
import type { Engine } from './engine.js';
import { all, first } from './program.js';
import { intentOf, OF_ORDER, RECORD, type IntentRecord } from './record.js';

export function intentsIn({
  change,
  read,
}: Engine): Pick<Ledger, 'change' | 'dueUnpaid' | 'find' | 'intent' | 'openOrders'> {
  const find = (text: string, id: string): Promise<Intent | null> =>
    read(function* () {
      const found = yield* first<IntentRecord>(text, id);
      return found && intentOf(found);
    });
  return {
    change,
    intent: (id) => find(`select ${RECORD} from intents where intent_id = $1`, id),
    find: async (requestId) => orderInIntent(await find(OF_ORDER, requestId), requestId),
    dueUnpaid: (now, limit) =>
      read(function* () {
        const due = yield* all<IntentRecord>(
          `select ${RECORD} from intents where unpaid_due_at <= $1
            order by unpaid_due_at limit $2`,
          now,
          limit,
        );
        return due.map(intentOf);
      }),
    openOrders: () =>
      read(() =>
        all(
          `select open_as as outcome, count(*) as count, min(open_since) as oldest from intents
            where open_as in ('review', 'unmapped', 'confirming', 'pending') group by open_as`,
        ),
      ),
  };
}

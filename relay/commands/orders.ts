/** `pay-checkout-relay orders resolve`: a person ends the review of an order. */
import { requireReaders } from '../bind-ledger.js';
import { createLedgerClock } from '../ledger/ledger-clock.js';
import { nodeClock } from '../node/process.js';
import { resolveOrder, type ResolveRequest } from '../orders/resolve.js';
import { noMetrics } from '../runtime.js';
import { readArguments, required, UsageError, type Command } from './arguments.js';
import { withLedger } from './with-ledger.js';

const usage = `usage: pay-checkout-relay orders resolve REQUEST_ID --config FILE
         --as succeeded|failed --by NAME --note TEXT
The order must be in review. The decision is final; NAME and TEXT are kept in the ledger.`;

const MAX_CHARACTERS = 500;

/** @throws UsageError, NotInReview */
async function run(args: string[]): Promise<void> {
  const { config, request } = options(args);
  const order = await withLedger(config, async (ledger, parsed) => {
    await requireReaders(parsed, ledger);
    const ledgerClock = createLedgerClock(ledger, nodeClock, () => {});
    // the decision is dated by the ledger's clock
    await ledgerClock.read();
    const context = { config: parsed, ledger, ledgerClock, log: () => {}, metrics: noMetrics };
    return resolveOrder(context, request);
  });
  process.stdout.write(`${order.request_id} resolved as ${order.outcome}\n`);
}

export const orders: Command = { usage, run };

function options(args: string[]): { config: string; request: ResolveRequest } {
  const text = { type: 'string' } as const;
  const { positionals, values } = readArguments(
    args,
    { config: text, as: text, by: text, note: text },
    usage,
  );
  const [action, requestId, ...rest] = positionals;
  if (action !== 'resolve' || requestId === undefined || rest.length > 0)
    throw new UsageError(usage);
  const as = required(values, 'as', usage);
  if (as !== 'succeeded' && as !== 'failed')
    throw new UsageError(`--as: ${as}; expected succeeded or failed\n${usage}`);
  const short = (name: string): string => {
    const value = required(values, name, usage);
    if (value.length <= MAX_CHARACTERS) return value;
    throw new UsageError(`--${name}: at most ${MAX_CHARACTERS} characters\n${usage}`);
  };
  return {
    config: required(values, 'config', usage),
    request: { requestId, as, by: short('by'), note: short('note') },
  };
}

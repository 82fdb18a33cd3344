/** A store for Prisma on PostgreSQL or SQLite. */
import { recordBy } from './event-table.js';
import { createLimits, type StoreLimits } from './limits.js';
import type { EventStore } from './receive-events.js';

type PrismaTransaction = {
  $queryRaw(text: TemplateStringsArray, ...values: unknown[]): PromiseLike<unknown>;
};
/** The first signature is that of a list of queries, from which TypeScript must not infer. */
type PrismaClient<Tx> = {
  $transaction<T>(
    run: (tx: Tx) => Promise<T>,
    options: { maxWait: number; timeout: number },
  ): Promise<T>;
};

/**
 * `tx` of a handler is the client of Prisma's interactive transaction. After a rollback Prisma
 * refuses what a handler writes late.
 *
 * @param limits keep `transactions` below the number of connections, because a handler may need
 *   another one
 */
export function prismaStore<Tx extends PrismaTransaction>(
  client: PrismaClient<Tx>,
  limits?: StoreLimits,
): EventStore<Tx> {
  const { inTime, inTurn, timeLimitMs } = createLimits(limits);
  // Prisma would end a transaction after 5 s
  const options = { maxWait: timeLimitMs, timeout: timeLimitMs };
  return {
    transaction: (run) => inTurn(() => client.$transaction((tx) => inTime(run(tx)), options)),
    ...recordBy<Tx>((tx) => async (...statement) => {
      const rows = await tx.$queryRaw(...statement);
      return Array.isArray(rows) ? rows : [];
    }),
  };
}

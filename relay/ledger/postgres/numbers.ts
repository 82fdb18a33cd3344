/**
 * The numbers of changed intents and of events in PostgreSQL. Each list has a sequence.
 *
 * A transaction may commit later than one with a higher number, so a list must not pass a number
 * that may still appear. Before a transaction takes a number, it takes a shared advisory lock whose
 * key is the last number that was given. It holds the lock until its end, and its own numbers are
 * higher than the key. So each row up to the lowest key is committed, or will never be. Shared
 * locks do not wait for each other, and a transaction that is not of the ledger has no such lock.
 */
import type { ListName } from '../shop-ledger.js';
import { first, run, type Program } from '../tables/program.js';

/** Each list has so many keys of locks, one for each number. */
const KEYS = 1n << 40n;
const FIRST_KEY = 7_290_412n * KEYS;
const END_KEY = FIRST_KEY + 2n * KEYS;

type Sequence = {
  readonly name: string;
  readonly firstKey: bigint;
  /** Selects the highest number of a row. */
  readonly highest: string;
};

const sequences: Readonly<Record<ListName, Sequence>> = {
  orders: {
    name: 'order_numbers',
    firstKey: FIRST_KEY,
    highest: 'select max(position) as number from intents',
  },
  events: {
    name: 'event_numbers',
    firstKey: FIRST_KEY + KEYS,
    highest: 'select max(seq) as number from events',
  },
};

/**
 * The sequences begin at 1, and that number belongs to no row: until a sequence has given a number,
 * `last_value` is the number that comes next.
 */
export const SEQUENCES: readonly string[] = Object.values(sequences).flatMap(({ name }) => [
  `create sequence ${name}`,
  `select nextval('${name}')`,
]);

/** `case` takes the lock first. The key is read once for each statement, so it may be too low. */
const next = ({ firstKey, name }: Sequence): string => `case
  when pg_advisory_xact_lock_shared(${firstKey} + (select last_value from ${name})) is null
    then null
  else nextval('${name}') end`;

export const NEXT_POSITION = next(sequences.orders);
export const NEXT_SEQ = next(sequences.events);

/** The locks of the ledgers in this database, with the parts of the key put together. */
const LOCKS = `(
  select pid, classid::bigint * 4294967296 + objid::bigint as key from pg_locks
  where locktype = 'advisory' and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
) as locks`;

/**
 * `top.last` is read before the locks: a transaction that takes its lock after both gets a higher
 * number. A standby does not know the locks of its primary. There the lists reach as far as a relay
 * of the primary has seen, because a standby has all that was committed before that heartbeat.
 */
const reach = (list: ListName): string => {
  const { firstKey, name } = sequences[list];
  return `
    select top.last, pg_is_in_recovery() as is_standby,
      case when pg_is_in_recovery()
        then coalesce((select max(${list}_settled) from heartbeats), 0)
        else coalesce((select min(key) - ${firstKey} from ${LOCKS}
          where key >= ${firstKey} and key < ${firstKey} + top.last), top.last)
      end as settled
    from (select last_value as last from ${name}) as top`;
};

export const REACH: Readonly<Record<ListName, string>> = {
  orders: reach('orders'),
  events: reach('events'),
};

export const HELD_BACK = `
  select (extract(epoch from clock_timestamp() - xact_start) * 1000)::bigint as ms,
    'process ' || pid || ' of PostgreSQL ('
      || concat_ws(', ', nullif(application_name, ''), state) || ')'
      || case when blocking = '{}' then ''
        else ', which waits for process ' || array_to_string(blocking, ', ') end as by
  from (
    select pid, xact_start, application_name, state, pg_blocking_pids(pid) as blocking
    from ${LOCKS} join pg_stat_activity using (pid)
    where key >= ${FIRST_KEY} and key < ${END_KEY}
    order by xact_start limit 1
  ) as oldest`;

/** Only one relay at a time raises sequences; the number is that of an advisory lock. */
const RAISE_LOCK = 7_290_414;

/**
 * Raises the sequences above the numbers of the rows. They are lower where rows were copied without
 * them, as by logical replication. The copy may already have given the numbers of other rows again,
 * so the ledger gets another epoch.
 */
export function* raiseSequences(): Program<void> {
  yield* first(`select pg_advisory_xact_lock(${RAISE_LOCK})`);
  for (const { highest, name } of Object.values(sequences)) {
    const isLower = yield* first(
      `select number from (${highest}) as highest
        where number > (select last_value from ${name})`,
    );
    if (!isLower) continue;
    yield* run("update settings set value = $1 where name = 'epoch'", crypto.randomUUID());
    yield* first(`select setval('${name}', (${highest}))`);
  }
}

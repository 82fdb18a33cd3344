/**
 * Names the statements of a PostgreSQL connection. PostgreSQL parses and plans a named statement
 * once for each connection; without a name it does so at each execution, which takes it longer than
 * the execution itself.
 */
import type { PoolClient, QueryResult } from 'pg';
import { codeOf } from './message-of.js';

/** A program of the ledger has the same text at each execution, so one plan is right for it. */
const isKept = (text: string): boolean => /^\s*(select|insert|update|delete|with)\b/i.test(text);
/** The server keeps the plan of each name for each connection. */
const MAX_NAMES = 60;
/** Errors of a statement that the server does not know, or knows in another form. */
const UNKNOWN_STATEMENT = ['26000', '42P05', '0A000'];

/**
 * Otherwise the server may go on planning a named statement at each execution, and a relay whose
 * machine froze in a transaction would keep its locks, for which the lists and other relays wait.
 */
const SETTINGS = `set plan_cache_mode = force_generic_plan;
  set idle_in_transaction_session_timeout = '10s'`;

type Query = (text: string, values: unknown[]) => Promise<QueryResult<object>>;

/** For the connections of one pool, which all execute the same statements. */
export function createQueryOn(): (client: PoolClient) => Promise<Query> {
  const names = new Map<string, string>();
  const direct = new WeakMap<PoolClient, boolean>();
  let isUsable = true;
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_NAMES || !isKept(text)) return known;
    const name = `pay_checkout_${names.size}`;
    names.set(text, name);
    return name;
  };
  // whether a connection may use names is asked of the server once for each connection
  return async (client) => {
    const unnamed: Query = (text, values) => client.query(text, values);
    const known = direct.get(client);
    const isDirect = known ?? (await isBackend(client));
    if (known === undefined) {
      if (isDirect) await client.query(SETTINGS);
      direct.set(client, isDirect);
    }
    if (!isDirect) return unnamed;
    return async (text, values) => {
      const name = isUsable ? nameOf(text) : undefined;
      if (name === undefined) return unnamed(text, values);
      try {
        return await client.query({ name, text, values });
      } catch (error) {
        if (UNKNOWN_STATEMENT.includes(codeOf(error))) isUsable = false;
        throw error;
      }
    };
  };
}

/**
 * Whether the client talks to the process of the server that it was told of at its start. A pooler
 * invents that number, and may execute each transaction on another connection of its own, which
 * does not know the names.
 */
async function isBackend(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid === Reflect.get(client, 'processID');
}

/** Whether a role of PostgreSQL may do what a relay does with its ledger. */
import type { ClientBase } from 'pg';
import { RELATIONS } from '../ledger/postgres/postgres-ledger.js';

type Rights = {
  readonly is_read_only: boolean;
  readonly has_ledger: boolean;
  readonly role: string;
  /** Where tables are made; null when the role finds no schema. */
  readonly schema: string | null;
  readonly may_create: boolean | null;
};
const RIGHTS = `
  select current_setting('transaction_read_only') = 'on' as is_read_only,
    to_regclass('settings') is not null as has_ledger,
    quote_ident(current_user) as role, quote_ident(current_schema()) as schema,
    has_schema_privilege(current_schema(), 'create') as may_create`;

/** The tables or the sequences, whichever come first, that the role cannot use as a relay does. */
const MISSING = `
  select case relkind when 'S' then 'sequence' else 'table' end as kind,
    string_agg(relname, ', ' order by relname) as names
  from pg_class
  where relname = any($1)
    and relnamespace = (select relnamespace from pg_class where oid = to_regclass('settings'))
    and not case relkind
      when 'S' then has_sequence_privilege(oid, 'select') and has_sequence_privilege(oid, 'usage')
        and has_sequence_privilege(oid, 'update')
      else has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
        and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete') end
  group by kind order by kind limit 1`;

/** @returns what is missing, with the statement that mends it where there is one; null: nothing */
export async function missingRight(client: Pick<ClientBase, 'query'>): Promise<string | null> {
  const [rights] = (await client.query<Rights>(RIGHTS)).rows;
  if (!rights) return null;
  const { has_ledger, is_read_only, may_create, role, schema } = rights;
  if (is_read_only)
    return 'the database takes no writes: it is a standby, or default_transaction_read_only is on';
  if (!has_ledger) {
    if (may_create) return null;
    const mend =
      schema === null
        ? `create schema authorization ${role}`
        : `grant create on schema ${schema} to ${role}`;
    return `the role ${role} may not make tables; run: ${mend}`;
  }
  const [missing] = (await client.query<{ kind: string; names: string }>(MISSING, [RELATIONS]))
    .rows;
  if (!missing) return null;
  const { kind, names } = missing;
  const mend = `grant all on ${kind} ${names} to ${role}`;
  return `the role ${role} may not change the ${kind}s; run: ${mend}`;
}

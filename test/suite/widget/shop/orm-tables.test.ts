/** The tables that a guide adds to the schemas of Prisma and Drizzle are that of the stores. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { EVENTS_TABLE } from '../../../../widget/shop/index.js';
import { codeBlocks } from '../../../tools/docs/code-blocks.js';
import { runBlock } from '../../../tools/docs/run-block.js';

type Table = { columns: string[]; key: string[]; index: string[] };

/** The table as SQLite reads it from our own statement. */
function ownTable(): Table {
  const database = new DatabaseSync(':memory:');
  database.exec(EVENTS_TABLE);
  const namesOf = (pragma: string): string[] =>
    (database.prepare(`select name from ${pragma}`).all() as { name: string }[]).map(
      ({ name }) => name,
    );
  return {
    columns: namesOf(`pragma_table_info('pay_checkout_events')`),
    key: namesOf(`pragma_table_info('pay_checkout_events') where pk > 0`),
    index: namesOf(`pragma_index_info('pay_checkout_events_by_intent')`),
  };
}

const page = 'docs/guides/prisma-and-drizzle.md';
const blockWith = (text: string): string =>
  codeBlocks().find((block) => block.page === page && block.code.includes(text))?.code ?? '';

describe('the table of the handled events', () => {
  it('has the columns, key and index of the stores in the model for Prisma', () => {
    const model = blockWith('model pay_checkout_events');
    const columns = [...model.matchAll(/^ {2}(\w+) +(String|Int)( @id)?$/gm)];
    const index = /@@index\(\[([^\]]+)\], map: "pay_checkout_events_by_intent"\)/.exec(model);
    assert.deepEqual(
      {
        columns: columns.map(([, name]) => name),
        key: columns.flatMap(([, name, , id]) => (id === undefined ? [] : [name])),
        index: index?.[1]?.split(', '),
      },
      ownTable(),
    );
  });

  it('has the columns, key and index of the stores in the table for Drizzle', async () => {
    const { payCheckoutEvents } = await runBlock(blockWith('payCheckoutEvents'), {});
    const { columns, indexes, name } = getTableConfig(payCheckoutEvents as PgTable);
    assert.equal(name, 'pay_checkout_events');
    assert.deepEqual(
      {
        columns: columns.map((column) => column.name),
        key: columns.flatMap((column) => (column.primary ? [column.name] : [])),
        index: indexes[0]?.config.columns.map((column) => ('name' in column ? column.name : null)),
      },
      ownTable(),
    );
    assert.equal(indexes[0]?.config.name, 'pay_checkout_events_by_intent');
    assert.ok(columns.every(({ notNull }) => notNull));
  });
});

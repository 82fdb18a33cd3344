/** `medusa db:migrate` runs this once. */
import type { ExecArgs } from '@medusajs/framework/types';
import { ContainerRegistrationKeys } from '@medusajs/framework/utils';
import { EVENTS_TABLE } from 'pay-checkout/shop';

export default async function createTables({ container }: ExecArgs): Promise<void> {
  const knex = container.resolve(ContainerRegistrationKeys.PG_CONNECTION);
  await knex.raw(`${EVENTS_TABLE}
    create table if not exists pay_checkout_progress (id integer primary key, cursor text not null);
    create table if not exists pay_checkout_refunds (
      request_id text primary key,
      intent_id text not null,
      amount text not null,
      currency text not null,
      reason text not null
    );`);
}

/**
 * Completes the carts that no webhook completed. Medusa acknowledges a webhook before it handles
 * it, so an event is lost when the process ends in between. This job handles every event once.
 */
import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys } from '@medusajs/framework/utils';
import { knexStore, reconcile } from 'pay-checkout/shop';
import { createHandler } from '../modules/pay-checkout/handle-event';

const relay = process.env.PAY_RELAY ?? '';
const secret_key = process.env.PAY_SECRET_KEY ?? '';

export default async function reconcilePayments(container: MedusaContainer): Promise<void> {
  const knex = container.resolve(ContainerRegistrationKeys.PG_CONNECTION);
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  const store = knexStore(knex);
  const cursor = {
    load: async () => (await knex('pay_checkout_progress').first('cursor'))?.cursor,
    save: (text: string) =>
      knex('pay_checkout_progress').insert({ id: 1, cursor: text }).onConflict('id').merge(),
  };
  const handle = createHandler(container, { relay, secret_key });
  await reconcile({ relay, secret_key, store, handle, cursor }).catch((error: unknown) =>
    logger.error(`pay-checkout: some events wait for the next reconciliation: ${String(error)}`),
  );
}

export const config = {
  name: 'reconcile-payments',
  schedule: process.env.PAY_RECONCILE_SCHEDULE ?? '* * * * *',
};

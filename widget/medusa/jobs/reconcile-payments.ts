/**
 * Completes the carts that no webhook completed. Medusa acknowledges a webhook before it handles
 * it, so an event is lost when the process ends in between. This job handles every event once.
 */
import { configManager } from '@medusajs/framework/config';
import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import { knexStore, reconcile } from 'pay-checkout/shop';
import { createHandler } from '../handle-event.js';
import { pluginOptions, relayOf } from '../options.js';

// a shop whose configuration lacks the provider does not start
const access = relayOf(configManager.config.modules?.[Modules.PAYMENT]);

export default async function reconcilePayments(container: MedusaContainer): Promise<void> {
  const knex = container.resolve(ContainerRegistrationKeys.PG_CONNECTION);
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  const store = knexStore(knex);
  const cursor = {
    load: async () => (await knex('pay_checkout_progress').first('cursor'))?.cursor,
    save: (text: string) =>
      knex('pay_checkout_progress').insert({ id: 1, cursor: text }).onConflict('id').merge(),
  };
  const handle = createHandler(container, access);
  await reconcile({ ...access, store, handle, cursor }).catch((error: unknown) =>
    logger.error(`pay-checkout: some events wait for the next reconciliation: ${String(error)}`),
  );
}

export const config: { name: string; schedule: string } = {
  name: 'pay-checkout-reconcile',
  schedule: pluginOptions(configManager.config.plugins).schedule,
};

/**
 * The hooks of a shop that has one of its own: it registers the plugin's handlers too. The plugin
 * has the option `hooks: false` then.
 */
import { ContainerRegistrationKeys } from '@medusajs/framework/utils';
import {
  cancelOrderWorkflow,
  completeCartWorkflow,
  createCartWorkflow,
} from '@medusajs/medusa/core-flows';
import {
  cancelUnfinishedOrders,
  noteCanceledOrder,
  rememberCart,
} from 'pay-checkout-medusa/workflows';

if (process.env.OWN_HOOKS) {
  createCartWorkflow.hooks.cartCreated(rememberCart);
  completeCartWorkflow.hooks.validate(async ({ cart }, { container }) => {
    container.resolve(ContainerRegistrationKeys.LOGGER).info(`the shop looks at ${cart.id}`);
    await cancelUnfinishedOrders({ cart }, { container });
  });
  cancelOrderWorkflow.hooks.orderCanceled(noteCanceledOrder);
}

/** Registers the hooks, unless the shop does that itself. */
import { configManager } from '@medusajs/framework/config';
import {
  cancelOrderWorkflow,
  completeCartWorkflow,
  createCartWorkflow,
} from '@medusajs/medusa/core-flows';
import { pluginOptions } from '../../options.js';
import { noteCanceledOrder } from '../note-canceled-order.js';
import { cancelUnfinishedOrders, rememberCart } from '../one-order-per-cart.js';

if (pluginOptions(configManager.config.plugins).hooks) {
  createCartWorkflow.hooks.cartCreated(rememberCart);
  completeCartWorkflow.hooks.validate(cancelUnfinishedOrders);
  cancelOrderWorkflow.hooks.orderCanceled(noteCanceledOrder);
}

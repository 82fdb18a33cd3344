/** The handlers of the plugin's hooks, for a shop that has handlers of its own. */
export { noteCanceledOrder } from './note-canceled-order.js';
export { cancelUnfinishedOrders, rememberCart } from './one-order-per-cart.js';

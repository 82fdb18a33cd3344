/** The guide's worker with the relay, and the shop in an object of its own. */
import { DurableObject } from 'cloudflare:workers';
import worker, { Relay } from '../../../docs/guides/relay-on-workers/worker.mjs';
import { createShop } from './shop.mjs';

export { Relay };

export class Shop extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    this.handle = createShop(env.SHOP_SETUP);
  }

  fetch(request) {
    return this.handle(request);
  }
}

export default {
  fetch: (request, env) =>
    new URL(request.url).pathname.startsWith('/shop/')
      ? env.SHOP.getByName('shop').fetch(request)
      : worker.fetch(request, env),
};

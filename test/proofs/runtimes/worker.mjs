/** The shop in a worker. It is one object, because the requests of a worker share no memory. */
import { DurableObject } from 'cloudflare:workers';
import { createShop } from './shop.mjs';

export class Shop extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    this.handle = createShop(env.SHOP_SETUP);
  }

  fetch(request) {
    return this.handle(request);
  }
}

export default { fetch: (request, env) => env.SHOP.getByName('shop').fetch(request) };

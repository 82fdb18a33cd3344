/**
 * Any method on /v1/notify/<capability>: a signal that the order may have changed. Acknowledged at
 * once; the body is not read.
 */
import type { Context as HonoContext } from 'hono';
import type { RouteDeps } from './mount.js';

/** `<request_id>.<kid>.<mac>`; a request_id may hold points of its own. */
const CAPABILITY = /^(.+)\.([^.]+\.[^.]+)$/;

export const notify =
  ({ closing, context, follow }: RouteDeps) =>
  async (c: HonoContext): Promise<Response> => {
    const [, requestId = '', mac = ''] = CAPABILITY.exec(c.req.param('capability') ?? '') ?? [];
    const known = await context.capabilities.verify('notify', requestId, mac);
    context.metrics.add('doorbells', 1, { known: String(known) });
    if (known) {
      const order = await context.ledger.order(requestId);
      // the relay placed it, and the ledger lost it: somebody may have paid
      if (!order)
        context.log('error', 'webhook', {
          request_id: requestId,
          message: 'the service signals an order that the ledger does not have: was it restored?',
        });
      if (order && order.sending !== 'claimed' && !closing.aborted)
        void follow
          .queryNow(order)
          .catch((error: unknown) =>
            context.log('error', 'webhook', { request_id: requestId, error: String(error) }),
          );
    }
    return c.text(context.config.service.notify_ack);
  };

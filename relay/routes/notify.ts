/** Any method on /v1/notify/<request_id>/<capability>: a doorbell. Acknowledged at once; the body is not read. */
import type { Context as HonoContext } from 'hono';
import type { Given } from './mount.js';

export const notify =
  ({ context, follow }: Given) =>
  async (c: HonoContext): Promise<Response> => {
    const requestId = c.req.param('request_id') ?? '';
    if (await context.capabilities.verify('notify', requestId, c.req.param('capability') ?? '')) {
      const order = await context.ledger.order(requestId);
      if (order && order.sending !== 'claimed')
        void follow.ask(order).catch((error: unknown) => context.log('error', 'doorbell', { request_id: requestId, error: String(error) }));
    }
    return c.text(context.config.service.notify_ack);
  };

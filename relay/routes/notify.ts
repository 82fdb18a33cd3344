/** Any method on /v1/notify/<capability>: a webhook signal of the order service. */
import type { Context as HonoContext } from 'hono';
import type { RouteDeps } from './mount.js';

export const notify =
  ({ context, receiveSignal }: RouteDeps) =>
  async (c: HonoContext): Promise<Response> => {
    const capability = c.req.param('capability') ?? '';
    await receiveSignal(capability);
    return c.text(context.config.service.notify_ack);
  };

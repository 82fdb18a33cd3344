/** GET /readyz: 503 when the ledger cannot be read; a silent order service is told, but resuming and reading still work. */
import type { Context as HonoContext } from 'hono';
import type { Given } from './mount.js';

export const readyz =
  ({ closing, context: { breaker, ledger, log } }: Given) =>
  async (c: HonoContext): Promise<Response> => {
    const readable = await ledger.outbox().then(
      () => true,
      (error: unknown) => {
        log('error', 'readyz', { error: String(error) });
        return false;
      },
    );
    const body = {
      status: closing.aborted ? 'stopping' : readable ? 'ok' : 'unavailable',
      ledger: readable ? 'ok' : 'unreadable',
      service: breaker.isOpen() ? 'silent' : 'ok',
    };
    return c.json(body, readable && !closing.aborted ? 200 : 503, { 'cache-control': 'no-store' });
  };

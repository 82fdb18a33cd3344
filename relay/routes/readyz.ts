/**
 * GET /readyz: 503 when the ledger cannot be read or the keys cannot be loaded, with the name of
 * the check that failed. An order service that is silent or refuses the relay, and a ledger that
 * cannot be written, are reported with 200: orders can still be read.
 */
import type { Context as HonoContext } from 'hono';
import { readHeldBack } from '../ledger/held-back.js';
import { GenerationError } from '../ledger/ledger-errors.js';
import type { Context } from '../orders/context.js';
import type { RouteDeps } from './mount.js';

export function readyz({ closing, context, isReadOnly, serviceState }: RouteDeps) {
  // one at a time: anybody may ask, and a check takes a connection of the ledger
  let checking: ReturnType<typeof check> | null = null;
  return async (c: HonoContext): Promise<Response> => {
    checking ??= check(context).finally(() => (checking = null));
    const { checks, heldBack } = await checking;
    const ready = Object.values(checks).every((result) => result === 'ok');
    const working = ready ? 'ok' : 'unavailable';
    const body = {
      status: closing.aborted ? 'stopping' : working,
      ...checks,
      ...(checks.ledger === 'ok' && isReadOnly() && { ledger: 'read_only' }),
      ...(heldBack && {
        lists: 'held_back',
        held_back_by: heldBack.by,
        held_back_s: Math.round(heldBack.ms / 1000),
      }),
      service: serviceState(),
    };
    const status = ready && !closing.aborted ? 200 : 503;
    return c.json(body, status, { 'cache-control': 'no-store' });
  };
}

async function check({ capabilities, identity, ledger, log }: Context) {
  const one = async (name: string, work: () => Promise<void>): Promise<string> => {
    try {
      await work();
      return 'ok';
    } catch (error) {
      log('error', 'readyz', { check: name, error: String(error) });
      return error instanceof GenerationError ? 'newer_generation' : 'unavailable';
    }
  };
  const checks = {
    ledger: await one('ledger', ledger.ping),
    keys: await one('keys', async () => {
      await capabilities.ready();
      await identity.ready();
    }),
  };
  // the ledger is checked above, and its failure is logged there
  return { checks, heldBack: await readHeldBack(ledger).catch(() => null) };
}

/**
 * GET of an option's wallets. A phone asks for them when the customer wants to choose one, because
 * a list of 200 would make each checkout answer larger.
 */
import type { Context as HonoContext, Next } from 'hono';
import type { z } from 'zod';
import type { PaymentOptionConfig } from '../config/payment-options.js';
import { walletsPath } from '../contract/paths.js';
import type { walletsResponse } from '../contract/responses.js';
import { sha256Of } from '../digest.js';
import { sendAsset, type Asset } from './assets.js';
import type { RouteDeps } from './mount.js';

/** The list of each option, which is made once. */
const lists = new WeakMap<PaymentOptionConfig, Asset>();

export const wallets =
  ({ context }: Pick<RouteDeps, 'context'>) =>
  async (c: HonoContext, next: Next): Promise<Response | void> => {
    const option = context.config.options.find(({ id }) => walletsPath(id) === c.req.path);
    if (!option?.wallets) return next();
    const list = lists.get(option) ?? listOf(option.wallets);
    lists.set(option, list);
    return sendAsset(list, c);
  };

function listOf(wallets: NonNullable<PaymentOptionConfig['wallets']>): Asset {
  const json = JSON.stringify({ wallets } satisfies z.infer<typeof walletsResponse>);
  return {
    type: 'application/json; charset=utf-8',
    body: new TextEncoder().encode(json),
    immutable: false,
    etag: `"${sha256Of(json).subarray(0, 8).join('-')}"`,
  };
}

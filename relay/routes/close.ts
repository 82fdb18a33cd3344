/** POST /v1/close: the intent takes no more orders. */
import { endpoints } from '../contract/endpoints.js';
import { requireSecretKey } from '../http/auth.js';
import { readBody } from '../http/body.js';
import { close as closeIntent } from '../operator/close.js';
import type { Handler } from './mount.js';

export const close: Handler<{ intent_id: string; closed_at: string }> = async (call) => {
  const { about, context, fromBackend, request } = call;
  requireSecretKey(context.config, fromBackend);
  const { intent_id, reason = null } = await readBody(request, endpoints.close.request);
  about(intent_id);
  // the shop makes the ids, and may close a token before its customer uses it
  return closeIntent(call, { intent_id, reason, by: null, unused: true });
};

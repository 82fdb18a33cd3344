/** A link to an order for another device; the key is in the fragment, which no server receives. */
import type { Resume } from './requests.js';

export const resumeLink = (relay: string, { order_key, request_id }: Resume): string =>
  `${relay}/r#${request_id}~${order_key}`;

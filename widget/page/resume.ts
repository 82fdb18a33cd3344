/** A link to the same order on another device: the order's key in the fragment, which no server sees. */
import type { Resume } from '../../relay/contract/requests.js';

const NAME = 'pay-checkout=';

export function readResume(): Resume | null {
  const at = location.hash.indexOf(NAME);
  const [request_id, order_key] = at < 0 ? [] : location.hash.slice(at + NAME.length).split('~');
  return request_id && order_key ? { request_id, order_key } : null;
}

export const resumeLink = ({ order_key, request_id }: Resume): string =>
  `${location.href.split('#')[0]}#${NAME}${request_id}~${order_key}`;

/** From now on the page stands for itself again. */
export function dropResume(): void {
  if (readResume()) history.replaceState(history.state, '', location.href.split('#')[0]);
}

/**
 * The payments of one browser, in a cookie: visitors share the sandbox, and the phone shows each
 * visitor only their own payments. Pages and sandbox both read the cookie.
 */
const PHONE_COOKIE = 'bean-leaf-phone';

/** As many as the phone shows. */
const MAX_PAYMENTS = 20;

/**
 * @param cookies as `document.cookie` and the header `cookie` have them
 * @returns the request_id of each payment, the oldest first
 */
export function phoneOrders(cookies: string): string[] {
  const values = cookies.split('; ').map((cookie) => cookie.split('='));
  const [, ids = ''] = values.find(([name]) => name === PHONE_COOKIE) ?? [];
  return ids.split('.').filter((id) => id !== '');
}

/** @returns the cookie with one more payment */
export function withPhoneOrder(cookies: string, request_id: string): string {
  const others = phoneOrders(cookies).filter((id) => id !== request_id);
  const ids = [...others, request_id].slice(-MAX_PAYMENTS).join('.');
  return `${PHONE_COOKIE}=${ids}; path=/; samesite=strict`;
}

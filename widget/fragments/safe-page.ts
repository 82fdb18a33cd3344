/** Which addresses of the web a card may link to; the relay has checked the host. */

/** Without TLS only this machine, where a developer runs the order service. */
export const isSafePage = ({ hostname, protocol }: URL): boolean =>
  protocol === 'https:' ||
  (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));

/**
 * Schemes that run code, read files or pages of the browser, start another app, or wrap another URL
 * that a guard would not see. No wallet has them. The element refuses them even when the relay's
 * answer allows them.
 */
const REFUSED_SCHEMES = new RegExp(
  '^(javascript|data|vbscript|blob|file|filesystem|about|view-source|intent|android-app|' +
    'content|wss?|ftp|resource|ms-.*|.*-extension|chrome.*|edge):$',
);

/** @param protocol a scheme with its colon, as `URL.protocol` has it */
export const isRefusedScheme = (protocol: string): boolean => REFUSED_SCHEMES.test(protocol);

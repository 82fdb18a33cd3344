/**
 * Schemes that run code, read files or pages of the browser, or start another app. They are refused
 * even when the relay's answer allows them.
 */
const REFUSED_SCHEMES = new RegExp(
  '^(javascript|data|vbscript|blob|file|filesystem|about|view-source|intent|android-app|' +
    'content|wss?|ftp|resource|ms-.*|.*-extension|chrome.*|edge):$',
);

/** @param protocol a scheme with its colon, as `URL.protocol` has it */
export const isRefusedScheme = (protocol: string): boolean => REFUSED_SCHEMES.test(protocol);

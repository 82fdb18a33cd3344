/**
 * Schemes that run code, read files or pages of the browser, start another app, or wrap another URL
 * that a guard would not see. No wallet has them. The element refuses them even when the relay's
 * answer allows them.
 */
const REFUSED_SCHEMES = new RegExp(
  '^((java|vb)script|data|blob|file(system)?|about|view-.*|content|wss?|ftp|resource|intent|' +
    'android-.*|shell|(ms|x|microsoft|search|itms)-.*|.*-extension|.*chrome.*|edge):$',
);

/** @param protocol a scheme with its colon, as `URL.protocol` has it */
export const isRefusedScheme = (protocol: string): boolean => REFUSED_SCHEMES.test(protocol);

/** `error` means that customers cannot pay or that an order could be lost. */
export type Finding = { level: 'ok' | 'warn' | 'error'; path: string; text: string };

export const ok = (path: string, text: string): Finding => ({ level: 'ok', path, text });
export const warn = (path: string, text: string): Finding => ({ level: 'warn', path, text });
export const error = (path: string, text: string): Finding => ({ level: 'error', path, text });

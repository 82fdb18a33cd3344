/** The relay that the script tag names: `data-relay`, else the directory the script came from. */
const NAME = /^(.*)\/pay-checkout(\.[0-9a-f]+)?\.js$/;

/** Read while the script runs: a classic script knows its own tag then, a module looks for it. */
export function scriptRelay(): string | null {
  if (typeof document === 'undefined') return null;
  const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript : null;
  const script =
    own ??
    [...document.scripts].find(
      ({ dataset, src }) => dataset.relay !== undefined || NAME.test(src.split(/[?#]/)[0] ?? ''),
    );
  if (!script) return null;
  return script.dataset.relay ?? NAME.exec(script.src.split(/[?#]/)[0] ?? '')?.[1] ?? null;
}

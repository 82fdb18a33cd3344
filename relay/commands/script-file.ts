/**
 * Where the built element lies: beside the compiled relay when installed, in dist/ when run from
 * source.
 */
export const scriptFile = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('../../dist/pay-checkout.js', import.meta.url)
    : new URL('../../pay-checkout.js', import.meta.url);

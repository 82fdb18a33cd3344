/** The built script of the element: beside the compiled relay, or in dist/ when run from source. */
export const elementScript = (): URL =>
  new URL(
    import.meta.url.endsWith('.ts') ? '../../dist/pay-checkout.js' : '../../pay-checkout.js',
    import.meta.url,
  );

export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { payCheckout } = await import('pay-checkout-relay/next');
  // the relay of the route: one for each path; when it cannot start, the log says why
  const relay = payCheckout({ config: 'relay.config.json', path: '/pay' });
  await relay.start().catch(() => {});
  const { catchUp } = await import('./app/shop');
  setInterval(catchUp, 60_000);
}

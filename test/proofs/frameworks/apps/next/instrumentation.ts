export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { payCheckout } = await import('pay-checkout-relay/next');
  // the relay of the route: one for each path
  await payCheckout({ config: 'relay.config.json', path: '/pay' }).start();
  const { catchUp } = await import('./app/shop');
  setInterval(catchUp, 60_000);
}

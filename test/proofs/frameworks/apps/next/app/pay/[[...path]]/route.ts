import { payCheckout } from 'pay-checkout-relay/next';

const relay = payCheckout({ config: 'relay.config.json', path: '/pay' });
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = relay;

import { defineConfig } from '@medusajs/framework/utils';

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: {
      storeCors: process.env.STORE_CORS ?? '',
      adminCors: process.env.ADMIN_CORS ?? '',
      authCors: process.env.AUTH_CORS ?? '',
      jwtSecret: process.env.JWT_SECRET,
      cookieSecret: process.env.COOKIE_SECRET,
    },
  },
  plugins: ['pay-checkout-medusa'],
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [
          {
            resolve: 'pay-checkout-medusa/providers/pay-checkout',
            id: 'pay-checkout',
            options: {
              relay: process.env.PAY_RELAY,
              secretKey: process.env.PAY_SECRET_KEY,
              tokenKey: { kid: process.env.PAY_TOKEN_KEY_ID, secret: process.env.PAY_TOKEN_KEY },
              eventsSecret: process.env.PAY_EVENTS_SECRET,
              productName: 'Order at the Medusa shop',
            },
          },
        ],
      },
    },
  ],
});

// the checks wait for the job, and some run in a shop with hooks of its own
module.exports.plugins = [
  {
    resolve: 'pay-checkout-medusa',
    options: { hooks: !process.env.OWN_HOOKS, schedule: process.env.PAY_RECONCILE_SCHEDULE },
  },
];

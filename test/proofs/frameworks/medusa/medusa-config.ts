import { defineConfig } from '@medusajs/framework/utils';

const { env } = process;

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: {
      storeCors: env.STORE_CORS ?? '',
      adminCors: env.ADMIN_CORS ?? '',
      authCors: env.AUTH_CORS ?? '',
      jwtSecret: env.JWT_SECRET,
      cookieSecret: env.COOKIE_SECRET,
    },
  },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [
          {
            resolve: './src/modules/pay-checkout',
            id: 'pay-checkout',
            options: {
              relay: env.PAY_RELAY,
              secretKey: env.PAY_SECRET_KEY,
              tokenKey: { kid: env.PAY_TOKEN_KEY_ID, secret: env.PAY_TOKEN_KEY },
              eventsSecret: env.PAY_EVENTS_SECRET,
              productName: 'Order at the Medusa shop',
            },
          },
        ],
      },
    },
  ],
});

import { DefaultSchedulerPlugin, type VendureConfig } from '@vendure/core';
import { PayCheckoutPlugin } from 'pay-checkout-vendure';

export const config: VendureConfig = {
  apiOptions: {
    port: Number(process.env.PORT),
    hostname: '127.0.0.1',
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
  },
  authOptions: {
    tokenMethod: 'bearer',
    superadminCredentials: { identifier: 'admin', password: process.env.ADMIN_PASSWORD ?? '' },
  },
  dbConnectionOptions: {
    type: 'better-sqlite3',
    database: process.env.DATABASE ?? '',
    synchronize: true,
  },
  paymentOptions: { paymentMethodHandlers: [] },
  // a shop runs tasks in its worker; here one process does all
  schedulerOptions: { runTasksInWorkerOnly: false },
  plugins: [
    DefaultSchedulerPlugin.init(),
    PayCheckoutPlugin.init({
      relay: process.env.PAY_RELAY ?? '',
      secretKey: process.env.PAY_SECRET_KEY ?? '',
      tokenKey: {
        kid: process.env.PAY_TOKEN_KEY_ID ?? '',
        secret: process.env.PAY_TOKEN_KEY ?? '',
      },
      eventsSecret: process.env.PAY_EVENTS_SECRET ?? '',
      productName: 'Order at the Vendure shop',
      schedule: process.env.PAY_RECONCILE_SCHEDULE,
      // a check starts the shop as a live one
      ...(process.env.PAY_LIVE && { livemode: true }),
    }),
  ],
};

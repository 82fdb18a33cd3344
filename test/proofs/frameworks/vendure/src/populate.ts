/** Creates the tables, a country, a way to ship, the payment method and two products. */
import { bootstrap, LanguageCode } from '@vendure/core';
import { populate } from '@vendure/core/cli';
import { join } from 'node:path';
import { config } from './vendure-config.js';

const initialData = {
  defaultLanguage: LanguageCode.en,
  defaultZone: 'Home',
  countries: [{ name: 'United States', code: 'US', zone: 'Home' }],
  taxRates: [{ name: 'No tax', percentage: 0 }],
  shippingMethods: [{ name: 'Parcel', price: 435 }],
  paymentMethods: [{ name: 'pay-checkout', handler: { code: 'pay-checkout', arguments: [] } }],
  collections: [],
};

void populate(() => bootstrap(config), initialData, join(__dirname, '../products.csv')).then(
  (app) => app.close().then(() => process.exit(0)),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);

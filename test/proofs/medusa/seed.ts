/** Fills an empty Medusa by its admin API: a region, shipping and products. */
import { z } from 'zod';
import { createApi, withId, type Api } from './medusa-api.js';

export const PROVIDER = 'pp_pay-checkout_pay-checkout';

export type Catalogue = {
  publishableKey: string;
  regionId: string;
  shippingOptionId: string;
  /** An item whose stock the shop does not count. */
  uncountedItem: string;
  /** An item whose price has more decimal places than the currency. */
  fractionalPriceItem: string;
  /** An item of which one is in stock. */
  lastItem: string;
  /** Puts one more of the last item into the stock. */
  restock(): Promise<void>;
};

const listOf = (name: string) => z.object({ [name]: z.array(withId).min(1) });

/** @param token of an administrator */
export async function seed(url: string, token: string): Promise<Catalogue> {
  const admin = createApi(url, { authorization: `Bearer ${token}` });
  const make = async (path: string, name: string, body: object): Promise<string> => {
    const made = await admin(path, z.object({ [name]: withId }), body);
    return made[name]?.id ?? '';
  };
  const first = async (path: string, name: string): Promise<string> =>
    (await admin(path, listOf(name)))[name]?.[0]?.id ?? '';

  const channel = await first('/admin/sales-channels', 'sales_channels');
  const regionId = await make('/admin/regions', 'region', {
    name: 'Home',
    currency_code: 'usd',
    countries: ['us'],
    payment_providers: [PROVIDER],
  });
  const { location, profile, shippingOptionId } = await createShipping(admin, make, first);
  await admin(`/admin/stock-locations/${location}/sales-channels`, z.unknown(), { add: [channel] });

  const product = async (title: string, amount: number, counted = false): Promise<string> => {
    const made = await admin(
      '/admin/products',
      z.object({ product: z.object({ variants: z.array(withId).min(1) }) }),
      {
        title,
        status: 'published',
        shipping_profile_id: profile,
        sales_channels: [{ id: channel }],
        options: [{ title: 'Size', values: ['One'] }],
        variants: [
          {
            title: 'One',
            manage_inventory: counted,
            options: { Size: 'One' },
            prices: [{ currency_code: 'usd', amount }],
          },
        ],
      },
    );
    return made.product.variants[0]?.id ?? '';
  };
  const uncountedItem = await product('Lamp', 19.99);
  const fractionalPriceItem = await product('Wire', 0.335);
  const lastItem = await product('The last one', 7.5, true);
  const item = await first('/admin/inventory-items', 'inventory_items');
  await admin(`/admin/inventory-items/${item}/location-levels`, z.unknown(), {
    location_id: location,
    stocked_quantity: 1,
  });

  const keys = await admin(
    '/admin/api-keys',
    z.object({ api_key: withId.extend({ token: z.string() }) }),
    { title: 'Storefront', type: 'publishable' },
  );
  const { id, token: publishableKey } = keys.api_key;
  await admin(`/admin/api-keys/${id}/sales-channels`, z.unknown(), { add: [channel] });
  const restock = async (): Promise<void> => {
    const path = `/admin/inventory-items/${item}/location-levels/${location}`;
    await admin(path, z.unknown(), { stocked_quantity: 2 });
  };
  return {
    publishableKey,
    regionId,
    shippingOptionId,
    uncountedItem,
    fractionalPriceItem,
    lastItem,
    restock,
  };
}

async function createShipping(
  admin: Api,
  make: (path: string, name: string, body: object) => Promise<string>,
  first: (path: string, name: string) => Promise<string>,
): Promise<{ location: string; profile: string; shippingOptionId: string }> {
  const location = await make('/admin/stock-locations', 'stock_location', {
    name: 'Store room',
    address: { address_1: 'Street 1', country_code: 'us' },
  });
  const at = `/admin/stock-locations/${location}`;
  await admin(`${at}/fulfillment-providers`, z.unknown(), { add: ['manual_manual'] });
  await admin(`${at}/fulfillment-sets`, z.unknown(), { name: 'Parcels', type: 'shipping' });
  const { stock_location: stored } = await admin(
    `${at}?fields=fulfillment_sets.id`,
    z.object({ stock_location: z.object({ fulfillment_sets: z.array(withId).min(1) }) }),
  );
  const set = stored.fulfillment_sets[0]?.id ?? '';
  const { fulfillment_set: zones } = await admin(
    `/admin/fulfillment-sets/${set}/service-zones`,
    z.object({ fulfillment_set: z.object({ service_zones: z.array(withId).min(1) }) }),
    { name: 'Home', geo_zones: [{ type: 'country', country_code: 'us' }] },
  );
  const profile = await first('/admin/shipping-profiles', 'shipping_profiles');
  const shippingOptionId = await make('/admin/shipping-options', 'shipping_option', {
    name: 'Parcel',
    service_zone_id: zones.service_zones[0]?.id,
    shipping_profile_id: profile,
    provider_id: 'manual_manual',
    price_type: 'flat',
    type: { label: 'Parcel', description: 'By post', code: 'parcel' },
    prices: [{ currency_code: 'usd', amount: 4.35 }],
    rules: [],
  });
  return { location, profile, shippingOptionId };
}

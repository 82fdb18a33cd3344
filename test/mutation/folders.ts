/** The folders under mutation testing, and the tests that run for each. */

const SHOP = 'shop/*';
const RESTORED = 'restored*';
const CUSTOMER = ['identity.browser', 'tokens.browser', 'return-url'];
const PLACING = ['orders/*', 'orders/polling/*', 'failure', 'full-disk', 'time'];

/** Names of test files below `test/relay`, without their ending. */
export const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'relay/intent': ['intent/*', ...CUSTOMER, 'shop/metadata'],
  'relay/orders': [...PLACING, ...CUSTOMER, 'intent/*', 'webhooks/*', SHOP, RESTORED],
  'relay/webhooks': ['webhooks/*', SHOP, 'restored', 'orders/place.browser'],
  'relay/ledger': ['ledger/*', ...PLACING, SHOP, RESTORED],
};

export type Selection = { folder: string; mutate: string };

/**
 * Reads the arguments of the command: folders or files, in the order in which they run.
 *
 * @throws Error when a path is in none of the folders
 */
export function select(paths: readonly string[]): Selection[] {
  const asked = paths.length === 0 ? Object.keys(FOLDERS) : paths;
  return asked.map((given) => {
    const path = given.replace(/\/+$/, '');
    const folder = Object.keys(FOLDERS).find((name) => `${path}/`.startsWith(`${name}/`));
    if (folder === undefined)
      throw new Error(`${given} is in none of ${Object.keys(FOLDERS).join(', ')}`);
    return { folder, mutate: path.endsWith('.ts') ? path : `${path}/**/*.ts` };
  });
}

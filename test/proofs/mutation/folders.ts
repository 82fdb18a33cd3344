/** The folders under mutation testing, and the tests that run for each. */

const ORDERS = ['orders/*', 'orders/polling/*', 'orders/restored/*'];
/** Whole relays with a shop: closing, lists, pay links and restored ledgers. */
const SHOPS = [
  'routes/close',
  'routes/lists',
  'routes/metadata',
  'routes/races',
  'routes/restored-*',
  'routes/unpaid',
  'pay-links/*',
  'app/restored',
  'app/restored-successors',
];

/**
 * Names of test files below `test/suite/relay`, without their ending (`.test.ts` or
 * `.process.test.ts`). `*` stands for a name without a point: flow tests (`.flow.test.ts`) run a
 * whole relay, and take too long to run for each mutant.
 */
export const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'relay/intent': [
    'intent/*',
    'routes/metadata',
    'pay-links/*',
    'routes/return-url',
    'routes/checkout-answer',
  ],
  'relay/orders': [...ORDERS, 'intent/*'],
  'relay/webhooks': ['webhooks/*', ...SHOPS, 'orders/another-order', 'testing/*'],
  'relay/ledger': ['ledger/*', ...ORDERS, 'operator/*', 'webhooks/*', ...SHOPS, 'app/time'],
};

/** Files that no folder's run includes: their tests need a process of PostgreSQL. */
const OTHER_PROCESSES = ['relay/ledger/postgres/*.ts'];

/** `mutate`: patterns of files, separated by commas; `!` leaves files out. */
export type Selection = { folder: string; path: string; mutate: string };

/**
 * Reads the arguments of the command: folders or files, in the order in which they run.
 *
 * @throws Error when a path is in none of the folders
 */
export function select(paths: readonly string[]): Selection[] {
  const selected = paths.length === 0 ? Object.keys(FOLDERS) : paths;
  return selected.map((argument) => {
    const path = argument.replace(/\/+$/, '');
    const folder = Object.keys(FOLDERS).find((name) => `${path}/`.startsWith(`${name}/`));
    if (folder === undefined)
      throw new Error(`${argument} is in none of ${Object.keys(FOLDERS).join(', ')}`);
    const files = [`${path}/**/*.ts`, ...OTHER_PROCESSES.map((file) => `!${file}`)];
    return { folder, path, mutate: path.endsWith('.ts') ? path : files.join(',') };
  });
}

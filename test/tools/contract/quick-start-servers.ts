/**
 * A first payment with a server of the shop's own, which also runs the relay: one whole program for
 * each framework, in docs/quick-start. What they share is the code of the guide to a first shop.
 */
import { readFileSync } from 'node:fs';
import { HOW_TO_PACK, installLine } from '../packages/install-lines.js';
import { fenced, NEXT, NO_ACCOUNT, ORDERS_TABLE, PAY } from './quick-start-parts.js';

const docs = new URL('../../../docs/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, docs), 'utf8');

type Server = {
  title: string;
  /** The command that runs the program. */
  run: string;
  /** Packages that the program needs beside the two. */
  packages: readonly string[];
  /** A note for those who use another runtime than Node.js. */
  note?: string;
};

const ON_NODE = ['@photostructure/sqlite'];
const withoutNode = (name: string): string =>
  `The commands of this page need Node.js; the shop runs on ${name} alone
([what to know](../guides/mount-the-relay.md#on-deno-and-bun)).`;

export const servers: Readonly<Record<string, Server>> = {
  express: { title: 'Express', run: 'node shop.mjs', packages: ['express', ...ON_NODE] },
  fastify: { title: 'Fastify', run: 'node shop.mjs', packages: ['fastify', ...ON_NODE] },
  hono: {
    title: 'Hono',
    run: 'node shop.mjs',
    packages: ['hono', '@hono/node-server', ...ON_NODE],
  },
  deno: {
    title: 'Deno',
    run: 'deno run --node-modules-dir=manual -A shop.mjs',
    packages: ['hono'],
    note: withoutNode('Deno'),
  },
  bun: { title: 'Bun', run: 'bun run shop.mjs', packages: ['hono'], note: withoutNode('Bun') },
};

/** What a shop does in any framework: it stands between the relay's address and the server. */
const SHARED = /^const secret = [^]*?(?=^(?:const app|async function answer))/m;

function sharedPart(): string {
  const [shared] = SHARED.exec(read('guides/first-shop/shop.mjs')) ?? [];
  if (shared === undefined) throw new Error('the first shop has no part that all shops share');
  return shared;
}

/** @returns the text of each program, by its file in `docs/` */
export const serverShops = (): Record<string, string> =>
  Object.fromEntries(
    Object.keys(servers).map((name) => {
      const file = `quick-start/${name}/shop.mjs`;
      return [file, read(file).replace(SHARED, sharedPart)];
    }),
  );

const quickStart = (
  name: string,
  { note, packages, run, title }: Server,
  program: string,
): string => `# Quick start: ${title}

## Run a sandbox

Work in a folder of its own, or in that of your server. It will hold secrets: serve only a folder
below it as files.${note === undefined ? '' : ` ${note}`}

${HOW_TO_PACK}

\`\`\`sh
${installLine(['pay-checkout', 'pay-checkout-relay'], packages)}
npx --no-install pay-checkout-relay init --yes \\
  --origin http://localhost:3000 --public-url http://localhost:3000/pay \\
  --events-url http://localhost:3000/hooks/pay
npx --no-install pay-checkout-relay sandbox --port 9000 &
\`\`\`

${NO_ACCOUNT}

## Write the shop

[\`shop.mjs\`](${name}/shop.mjs) is a whole shop. It signs one
[order token](../guides/sign-order-tokens/README.md) for each order, handles each
[event of the relay](../guides/receive-shop-events.md) once, and when it starts it
[reads the events](../guides/close-and-reconcile.md) that it missed. The relay runs inside it
([mounting](../guides/mount-the-relay.md)), so the command \`start\` is not needed.

${fenced('js', program.trimEnd())}

## Sell something

\`\`\`sh
${run} &
\`\`\`

Open <http://localhost:3000>. ${PAY}
The order is paid in the table \`orders\` of \`shop.db\`, also when the customer closes the page
right after paying, and a reload of the page says so:

${fenced('sh', ORDERS_TABLE)}

Deliver what has \`paid_at\`, and never on an event of the element.

The relay can also be a process of its own:
[a shop beside such a relay](../guides/first-shop/README.md).

${NEXT}`;

/** @returns the text of each page, by the name of its stack */
export function serverQuickStarts(): Record<string, string> {
  const shops = serverShops();
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      quickStart(name, server, shops[`quick-start/${name}/shop.mjs`] ?? ''),
    ]),
  );
}

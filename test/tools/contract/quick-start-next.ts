/** A first payment in Next.js, whose own server mounts the relay and signs the order token. */
import { readFileSync } from 'node:fs';
import { HOW_TO_PACK, installLine } from '../packages/install-lines.js';
import { environments } from '../../proofs/frameworks/environments.js';
import { fenced, NEXT, NO_ACCOUNT, ORDERS_TABLE, PAY, shown } from './quick-start-parts.js';

const shop = new URL('../../proofs/frameworks/apps/next/', import.meta.url);
const files = (...names: readonly string[]): string =>
  names
    .map((name) => {
      const text = shown(readFileSync(new URL(name, shop), 'utf8'));
      return `\`${name}\`:\n\n${fenced(name.split('.').at(-1) ?? '', text)}`;
    })
    .join('\n\n');

const { edit, packages } = environments.find(({ folder }) => folder === 'next') ?? {};
if (!edit) throw new Error('the shop of Next.js changes no file of its starter');

export const nextQuickStart = (): string => `# Quick start: Next.js

## Run a sandbox

Work in the folder of your project, or make one:
\`npx create-next-app@latest shop --yes && cd shop\`.

${HOW_TO_PACK}

\`\`\`sh
${installLine(['pay-checkout', 'pay-checkout-relay'], packages)}
npx --no-install pay-checkout-relay init --yes \\
  --origin http://localhost:3000 --public-url http://localhost:3000/pay \\
  --events-url http://localhost:3000/hooks/pay
echo '*.db*' >> .gitignore
npx --no-install pay-checkout-relay sandbox --port 9000 &
\`\`\`

${NO_ACCOUNT} Next.js will
run the relay, so the command \`start\` is not needed. The two databases, \`pay-checkout.db\` of
the relay and \`shop.db\` of the shop, are not for the repository; and where Git does not ignore
them, Tailwind builds the styles of an open page again at each payment.

## Mount the relay

In \`${edit.file}\` write this into the configuration, so that Next.js loads both packages
from \`node_modules\` and not from its bundle:

${fenced('ts', edit.to)}

Then write:

${files('app/pay/[[...path]]/route.ts', 'instrumentation.ts')}

The second file lets the relay follow open orders right after a restart, and not only after the
first request. Both files get the same relay. [More about mounting](../guides/mount-the-relay.md).

## Record what was paid

The shop writes an order into its own database before it signs the token of that order: \`jti\` is
the order's number, and the amount is the order's too
([all claims](../guides/sign-order-tokens/README.md)). The order is paid when the relay says so, by
[a signed event](../guides/receive-shop-events.md) or, after an event was missed, in
[the list of events](../guides/close-and-reconcile.md) that \`instrumentation.ts\` reads each
minute. Secrets and databases stay in the server; the browser gets the token.

${files('app/shop.ts', 'app/hooks/pay/route.ts')}

## Show the element

${files('app/page.tsx', 'app/buy/route.ts')}

The order's own page:

${files('app/checkout/[id]/page.tsx', 'app/checkout/[id]/checkout.tsx')}

The page needs no script tag: \`pay-checkout/react\` brings the element into the bundle. Run
\`npx next dev\`, or \`npx next build && npx next start\`, and open <http://localhost:3000>. The
build needs neither secrets nor databases.

${PAY}
The shop's table now has the order, with the time in \`paid_at\`:

${fenced('sh', ORDERS_TABLE)}

Deliver what has \`paid_at\`, and never on an event of the page.

${NEXT}`;

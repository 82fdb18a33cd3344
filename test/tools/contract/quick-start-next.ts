/** A first payment in Next.js, whose own server mounts the relay and signs the order token. */
import { readFileSync } from 'node:fs';
import { HOW_TO_PACK, installLine } from '../packages/install-lines.js';
import { environments } from '../../proofs/frameworks/environments.js';
import { fenced, NEXT, NO_ACCOUNT, PAY, shown } from './quick-start-parts.js';

const shop = new URL('../../proofs/frameworks/apps/next/', import.meta.url);
const files = (...names: readonly string[]): string =>
  names
    .map((name) => {
      const text = shown(readFileSync(new URL(name, shop), 'utf8'));
      return `\`${name}\`:\n\n${fenced(name.split('.').at(-1) ?? '', text)}`;
    })
    .join('\n\n');

const setting = environments.find(({ folder }) => folder === 'next')?.edit;
if (!setting) throw new Error('the shop of Next.js changes no file of its starter');

export const nextQuickStart = (): string => `# Quick start: Next.js

## Run a sandbox

Work in the folder of your project, or make one:
\`npx create-next-app@latest shop --yes && cd shop\`.

${HOW_TO_PACK}

\`\`\`sh
${installLine(['pay-checkout', 'pay-checkout-relay'])}
npx --no-install pay-checkout-relay init --yes \\
  --origin http://localhost:3000 --public-url http://localhost:3000/pay
echo 'pay-checkout.db*' >> .gitignore
npx --no-install pay-checkout-relay sandbox --port 9000 &
\`\`\`

${NO_ACCOUNT} Next.js will
run the relay, so neither the command \`start\` nor the script tag that \`init\` prints is needed.
The ledger, \`pay-checkout.db\`, is not for the repository; and where Git does not ignore it,
Tailwind builds the styles of an open page again at each payment.

## Mount the relay

In \`${setting.file}\` write \`${setting.to}\` into the configuration, so that Next.js loads the
relay from \`node_modules\` and not from its bundle. Then write:

${files('app/pay/[[...path]]/route.ts', 'instrumentation.ts')}

The second file lets the relay follow open orders right after a restart, and not only after the
first request. Both files get the same relay. [More about mounting](../guides/mount-the-relay.md).

## Show the element

The page signs an order token for each visit. The key stays in the server; the browser gets the
token. In a shop, \`jti\` is the number of the order, and the amount comes from the order too
([all claims](../guides/sign-order-tokens/README.md)).

${files('app/page.tsx', 'app/checkout.tsx')}

The page needs no script tag: \`pay-checkout/react\` brings the element into the bundle. Run
\`npx next dev\`, and open <http://localhost:3000>. \`npx next build\` needs neither secrets nor
the ledger.

${PAY}
${NEXT}`;

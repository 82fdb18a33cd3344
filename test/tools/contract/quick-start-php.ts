/** A first payment in PHP, with the files of docs/quick-start/php, which a test runs. */
import { readFileSync } from 'node:fs';
import { HOW_TO_PACK, installLine } from '../packages/install-lines.js';
import { fenced, NO_ACCOUNT, PAY } from './quick-start-parts.js';

const folder = new URL('../../../docs/quick-start/php/', import.meta.url);
function file(name: string): string {
  const text = readFileSync(new URL(name, folder), 'utf8').trimEnd();
  return `[\`${name}\`](php/${name}):\n\n${fenced('php', text)}`;
}

export const phpQuickStart = (): string => `# Quick start: PHP

You need PHP 8.1 with SQLite (on Debian: \`apt-get install php-cli php-sqlite3\`), and Node.js for
the relay. No library of PHP is needed.

## Run a relay and a sandbox

Work in a folder of its own. Only its folder \`public\` is served: the others hold secrets.

${HOW_TO_PACK}

\`\`\`sh
mkdir shop && cd shop && mkdir public
${installLine(['pay-checkout-relay'])}
npx --no-install pay-checkout-relay init --yes --events-url http://localhost:3000/hooks.php
npx --no-install pay-checkout-relay sandbox --port 9000 &
npx --no-install pay-checkout-relay start --config relay.config.json --port 8787 &
\`\`\`

${NO_ACCOUNT}

## Write the shop

Copy these five files into the same places of your folder. The first one is the same for every
shop.

${file('pay-checkout.php')}

Your shop: its tables, and what it does when an order is paid.

${file('shop.php')}

The page records an order, leads to the order's own address, and signs a token of it there:

${file('public/index.php')}

The receiver of the relay's events:

${file('public/hooks.php')}

What the receiver missed, because it was down or answered an error:

${file('catch-up.php')}

## Sell something

\`\`\`sh
php -S localhost:3000 -t public &
\`\`\`

Open <http://localhost:3000>. ${PAY}
The order is paid in the table \`orders\` of \`shop.db\`, also when the customer closes the page
right after paying:

\`\`\`sh
php -r 'require "shop.php";
  print_r(database()->query("select * from orders")->fetchAll(PDO::FETCH_ASSOC));'
\`\`\`

Let cron run \`php catch-up.php\` every minute: it handles the events of the time in which the shop
was down. The relay goes on trying to deliver them, and they are handled once.
Deliver when \`paid_at\` is set, and never because the page says so.

To send an event again, take its id from the list:

\`\`\`sh
npx --no-install pay-checkout-relay events list --config relay.config.json
npx --no-install pay-checkout-relay events resend EVENT_ID --by you --config relay.config.json
\`\`\`

## Next

- [Go live](../guides/go-live.md)
- [WordPress](../guides/wordpress.md): a plugin
- [Receive shop events](../guides/receive-shop-events.md): what each event means
- [All claims of a token](../guides/sign-order-tokens/README.md), and how keys are changed
- Serve the relay
  [under the shop's own address](../guides/run-the-relay.md#behind-the-shops-web-server)
- [The element](../guides/the-element.md)
`;

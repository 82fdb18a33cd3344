/** What the quick starts of all stacks have in common. */

export const fenced = (language: string, text: string): string =>
  `\`\`\`${language}\n${text}\n\`\`\``;

/** Without the lines that only show that the types refuse a mistake. */
export const shown = (source: string): string =>
  source
    .replace(/^.*(?:@(?:ts|vue)-expect-error|the tag itself has types).*\n.*\n/gm, '')
    .replace('%TOKEN%', 'eyJ…')
    .trimEnd();

export const NO_ACCOUNT =
  'No account is needed: the sandbox simulates the order service. npm may say that install ' +
  'scripts are not covered by `allowScripts`; the packages work without them.';

export const SIGNING = `## Sign an order token

For a first try, sign a token on the command line. Later,
[your backend signs one for each order](../guides/sign-order-tokens/README.md).

\`\`\`sh
npx --no-install pay-checkout-relay sign --config relay.config.json \\
  --amount 19.90 --currency USD --product-name T-shirt --customer-ref-id c-42
\`\`\`
`;

export const PAY = 'Pay, and confirm on the customer’s phone: <http://localhost:9000/phone>.\n';

/** Prints the shop's table of orders. */
export const ORDERS_TABLE = `node -e "const { DatabaseSync } = require('@photostructure/sqlite');
console.table(new DatabaseSync('shop.db').prepare('select * from orders').all())"`;

export const NEXT = `## Next

- [Go live](../guides/go-live.md): twelve ticks
- [Receive shop events](../guides/receive-shop-events.md), and deliver after \`order.succeeded\`
- [The element](../guides/the-element.md), [in other frameworks](../guides/frameworks.md)
- [Test your checkout](../guides/test-your-checkout.md)
- [Configure the relay](../guides/configure-the-relay.md), and [run it](../guides/run-the-relay.md)
`;

/** A first payment with the relay in a worker, which reads no files and serves no script. */
import { HOW_TO_PACK, installLine } from '../packages/install-lines.js';
import { fenced, NEXT, NO_ACCOUNT, PAY, signing } from './quick-start-parts.js';

/** The secrets of `init`: the file of each, and its variable. */
const SECRETS = {
  'order-token-key': 'ORDER_TOKEN_KEY',
  'secret-key': 'RELAY_SECRET_KEY',
  'request-id-key': 'REQUEST_ID_KEY',
} as const;

const configuration = {
  public_url: 'http://localhost:8787/pay',
  ledger: 'memory:',
  order_token_keys: [{ kid: 'k1', alg: 'HS256', secret: { env: SECRETS['order-token-key'] } }],
  secret_key: { env: SECRETS['secret-key'] },
  request_id_key: { env: SECRETS['request-id-key'] },
};

const variables = Object.entries(SECRETS).map(([file, name]) => `${name}=$(cat secrets/${file})`);

export const workersQuickStart = (): string => `# Quick start: Cloudflare Workers

## Configure a relay, and run a sandbox

Work in the folder of your worker. The folder will hold secrets: serve only a folder below it as
files.

${HOW_TO_PACK}

\`\`\`sh
${installLine(['pay-checkout', 'pay-checkout-relay'], ['wrangler'])}
npx --no-install pay-checkout-relay init --yes --origin http://localhost:3000
npx --no-install pay-checkout-relay sandbox --port 9000 &
\`\`\`

${NO_ACCOUNT}

A worker reads no files. Replace these fields of \`relay.config.json\`; the worker keeps its ledger
in a Durable Object, whatever \`ledger\` says:

${fenced('json', JSON.stringify(configuration))}

Write the secrets into the file that Wrangler reads, and do not commit it:

${fenced('sh', ['cat > .dev.vars <<END', ...variables, 'END'].join('\n'))}

## Run the relay

Copy [worker.mjs](../guides/relay-on-workers/worker.mjs), and the lines of \`wrangler.jsonc\` from
[the guide to Workers](../guides/relay-on-workers/README.md). Then:

\`\`\`sh
npx wrangler dev --port 8787 &
\`\`\`

This was tried with Wrangler 4.69.0, and not on the platform itself.

${signing('set -a && . ./.dev.vars\n')}
## Show the element

A worker serves no script. Copy it into the folder of your page, here \`public\`, and serve only
that folder, with any web server on port 3000:

\`\`\`sh
cp node_modules/pay-checkout/dist/pay-checkout.js public/
\`\`\`

Send a page with these two lines, and with the token:

\`\`\`html
<script src="/pay-checkout.js" defer></script>
<pay-checkout relay="${configuration.public_url}" order-token="eyJ…"></pay-checkout>
\`\`\`

${PAY}
${NEXT}`;

/**
 * A first payment in each stack. The code of a page is that of the shop which `npm run frameworks`
 * type-checks and pays in, and the code of a server is that of the guide to mounting.
 */
import { readFileSync } from 'node:fs';
import { fromRegistry, HOW_TO_PACK, installLine, isReleased } from '../packages/install-lines.js';
import { nextQuickStart } from './quick-start-next.js';
import { phpQuickStart } from './quick-start-php.js';
import { fenced, NEXT, NO_ACCOUNT, PAY, shown, signing } from './quick-start-parts.js';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

type Stack = {
  title: string;
  /** The origin of the development server. */
  origin: string;
  /** The command that makes a project of the framework. */
  starter?: string;
  /** The command that such a project needs first. */
  prepare?: string;
  /** The command of its development server, where it is not `npm run dev`. */
  develop?: string;
  /** Files of the shop in test/proofs/frameworks/apps, by the name that they have in a project. */
  files?: Readonly<Record<string, string>>;
  /** The first line of the block in the guide to mounting. */
  mount?: string;
  /** What the server's configuration needs for the mount. */
  mountNote?: string;
  /** Packages that the server needs beside the two. */
  packages?: readonly string[];
  /** What the server runs on when it is not Node.js. */
  runtime?: string;
  note?: string;
};

const VITE = 'http://localhost:5173';

const inProject = ({ prepare, starter = '' }: Stack): string => {
  const commands = [installLine(['pay-checkout']), prepare].filter((each) => each !== undefined);
  const run = commands.map((command) => `\`${command}\``).join(' and ');
  return `In a project, such as \`${starter}\` makes, run ${run}, and write this:`;
};

const withVite = (template: string): string =>
  `npm create vite@latest shop -- --template ${template}`;

/** The server of the guide to mounting, with the command that runs it on Deno or on Bun. */
function onOtherRuntime(program: string, name: string): Omit<Stack, 'title'> {
  const guide = read('docs/guides/mount-the-relay.md');
  const [command] = new RegExp(`^${program} .*$`, 'm').exec(guide) ?? [];
  if (command === undefined) throw new Error(`the guide to mounting has no command of ${program}`);
  return {
    origin: 'http://localhost:3000',
    mount: '// server.js',
    packages: ['hono'],
    runtime: name,
    mountNote:
      `Add the routes of your pages to \`app\`, and run it on ${name} ` +
      `([what to know](../guides/mount-the-relay.md#on-deno-and-bun)):\n\n${fenced('sh', command)}`,
  };
}

const stacks: Readonly<Record<string, Stack>> = {
  html: {
    title: 'HTML',
    origin: 'http://localhost:3000',
    files: { 'index.html': 'html/index.html' },
    note:
      'Put the file into a folder of its own, and serve only that folder on port 3000, for ' +
      'example by `python3 -m http.server 3000`. The relay serves the script.',
  },
  react: {
    title: 'React',
    origin: VITE,
    starter: withVite('react-ts'),
    files: { 'src/App.tsx': 'react-19/src/App.tsx' },
  },
  vue: {
    title: 'Vue',
    origin: VITE,
    starter: withVite('vue-ts'),
    files: {
      'src/App.vue': 'vue/src/App.vue',
      'vite.config.ts': 'vue/vite.config.ts',
    },
  },
  nuxt: {
    title: 'Nuxt',
    origin: 'http://localhost:3000',
    starter: 'npm create nuxt@latest shop',
    files: {
      'app/app.vue': 'nuxt/app/app.vue',
      'nuxt.config.ts': 'nuxt/nuxt.config.ts',
    },
  },
  svelte: {
    title: 'Svelte',
    origin: VITE,
    starter: withVite('svelte-ts'),
    files: { 'src/App.svelte': 'svelte/src/App.svelte' },
  },
  sveltekit: {
    title: 'SvelteKit',
    origin: VITE,
    starter: 'npx sv create shop --template minimal --types ts',
    files: {
      'src/routes/+page.svelte': 'sveltekit/src/routes/+page.svelte',
      'src/routes/+page.server.ts': 'sveltekit/src/routes/+page.server.ts',
    },
  },
  angular: {
    title: 'Angular',
    origin: 'http://localhost:4200',
    starter: 'npx @angular/cli@20 new shop --defaults',
    develop: 'npm start',
    files: { 'src/app/app.ts': 'angular/src/app/app.ts' },
  },
  astro: {
    title: 'Astro',
    origin: 'http://localhost:4321',
    starter: 'npm create astro@latest shop -- --template minimal',
    prepare: 'npx astro add node --yes',
    files: { 'src/pages/index.astro': 'astro/src/pages/index.astro' },
  },
  preact: {
    title: 'Preact',
    origin: VITE,
    starter: withVite('preact-ts'),
    files: { 'src/app.tsx': 'preact/src/app.tsx' },
  },
  solid: {
    title: 'Solid',
    origin: VITE,
    starter: withVite('solid-ts'),
    files: { 'src/App.tsx': 'solid/src/App.tsx' },
  },
  express: { title: 'Express', origin: 'http://localhost:3000', mount: '// Express' },
  fastify: { title: 'Fastify', origin: 'http://localhost:3000', mount: '// Fastify' },
  hono: { title: 'Hono', origin: 'http://localhost:3000', mount: '// Hono' },
  deno: { title: 'Deno', ...onOtherRuntime('deno', 'Deno') },
  bun: { title: 'Bun', ...onOtherRuntime('bun', 'Bun') },
};

const languageOf = (file: string): string => file.split('.').at(-1) ?? '';

const page = ({ files = {} }: Stack): string =>
  Object.entries(files)
    .map(([name, path]) => {
      const text = shown(read(`test/proofs/frameworks/apps/${path}`));
      return `\`${name}\`:\n\n${fenced(languageOf(name), text)}`;
    })
    .join('\n\n');

function mounting(first: string): string {
  const guide = read('docs/guides/mount-the-relay.md');
  const blocks = [...guide.matchAll(/```js\n([\s\S]*?)\n```/g)].map(([, block = '']) => block);
  const block = blocks.find((each) => each.startsWith(first));
  if (block === undefined) throw new Error(`the guide to mounting has no block ${first}`);
  return fenced('js', block);
}

/** The receiver of the guide to events, and what it needs. */
function recording({ origin, title }: Stack): string {
  const guide = read('docs/guides/receive-shop-events.md');
  const [, express = ''] = /```js\n(\/\/ Express[\s\S]*?)\n```/.exec(guide) ?? [];
  return `
## Record what was paid

Deliver only when the relay says that an order is paid. It tells \`${origin}/hooks/pay\`, which
\`--events-url\` has written into the configuration, and your server receives it${
    title === 'Express'
      ? `:\n\n${fenced('js', express)}`
      : ' by\n[a line of its framework](../guides/receive-shop-events.md).'
  }

\`receiveEvents\` of \`pay-checkout/shop\` handles each event once, in your own database, and
\`reconcile\` finds those that no webhook delivered:
[a shop in one file](../guides/first-shop/shop.mjs) has both, with SQLite
(\`npm install @photostructure/sqlite\`).
`;
}

/** The section on mounting the relay in the shop's server, for stacks that have one. */
const inServer = (stack: Stack): string =>
  stack.mount === undefined
    ? ''
    : `
## Inside your own server

A mounted relay replaces the command \`start\`
([more about it](../guides/mount-the-relay.md)). A ledger belongs to one \`public_url\`: stop
the relay of the first step, and let \`init\` write everything anew for the address of the mount:

\`\`\`sh
# only on trial: this deletes the ledger and the keys
rm -rf relay.config.json secrets page pay-checkout.db*
npx --no-install pay-checkout-relay init --yes \\
  --origin ${stack.origin} --public-url ${stack.origin}/pay \\
  --events-url ${stack.origin}/hooks/pay
\`\`\`

Mount the relay:

${mounting(stack.mount)}
${stack.mountNote === undefined ? '' : `\n${stack.mountNote}\n`}
Load the script from \`/pay/pay-checkout.js\`, and sign a new token with the new key.
`;

const IN_OWN_FOLDER = `Work in a folder of its own, because it will hold secrets that no web server
may serve.

${HOW_TO_PACK}

\`\`\`sh
mkdir relay && cd relay
${installLine(['pay-checkout-relay'])}`;

const inServersFolder = ({
  packages = [],
  runtime,
}: Stack): string => `Work in the folder of your server.
The folder will hold secrets: serve only a folder below it as files.
${
  runtime === undefined
    ? 'The code of this page is that of modules: \`npm pkg set type=module\`.'
    : `These commands need Node.js. The server needs only ${runtime}.`
}

${HOW_TO_PACK}

\`\`\`sh
${installLine(['pay-checkout', 'pay-checkout-relay'], packages)}`;

const quickStart = (stack: Stack): string => `# Quick start: ${stack.title}

## Run a relay and a sandbox

${stack.mount === undefined ? IN_OWN_FOLDER : inServersFolder(stack)}
npx --no-install pay-checkout-relay init --yes --origin ${stack.origin}${
  stack.mount === undefined
    ? ''
    : ` \\
  --events-url ${stack.origin}/hooks/pay`
}
npx --no-install pay-checkout-relay sandbox --port 9000 &
npx --no-install pay-checkout-relay start --config relay.config.json --port 8787 &
\`\`\`

${NO_ACCOUNT}

${signing()}${
  stack.files === undefined
    ? `
## Show the element

Send a page with these two lines, and with the token:

\`\`\`html
<script src="http://localhost:8787/pay-checkout.js" defer></script>
<pay-checkout order-token="eyJ…"></pay-checkout>
\`\`\`
`
    : `
## Show the element

${stack.note ?? inProject(stack)}

${page(stack)}
${
  stack.files['index.html'] === undefined
    ? `\nStart the project (\`${stack.develop ?? 'npm run dev'}\`), and open\n\`${stack.origin}/?relay=http://localhost:8787&token=eyJ…\` with the token.\n`
    : ''
}`
}
${PAY}${stack.mount === undefined ? '' : recording(stack)}${inServer(stack)}
${NEXT}`;

/** @returns the text of each page, by its file in `docs/` */
export function quickStarts(): Record<string, string> {
  const installed = isReleased(read('CHANGELOG.md')) ? fromRegistry : (text: string) => text;
  const pages = Object.entries(stacks).map(([name, stack]) => [name, quickStart(stack)] as const);
  return Object.fromEntries(
    [...pages, ['next', nextQuickStart()] as const, ['php', phpQuickStart()] as const].map(
      ([name, text]) => [`quick-start/${name}.md`, installed(text)],
    ),
  );
}

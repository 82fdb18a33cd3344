/**
 * A first payment in each stack. The code of a page is that of the shop which `npm run frameworks`
 * type-checks and pays in.
 */
import { readFileSync } from 'node:fs';
import { fromRegistry, HOW_TO_PACK, installLine, isReleased } from '../packages/install-lines.js';
import { nextQuickStart } from './quick-start-next.js';
import { phpQuickStart } from './quick-start-php.js';
import { serverQuickStarts } from './quick-start-servers.js';
import { fenced, NEXT, NO_ACCOUNT, PAY, shown, SIGNING } from './quick-start-parts.js';

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
  files: Readonly<Record<string, string>>;
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
};

const languageOf = (file: string): string => file.split('.').at(-1) ?? '';

const page = ({ files }: Stack): string =>
  Object.entries(files)
    .map(([name, path]) => {
      const text = shown(read(`test/proofs/frameworks/apps/${path}`));
      return `\`${name}\`:\n\n${fenced(languageOf(name), text)}`;
    })
    .join('\n\n');

const IN_OWN_FOLDER = `Work in a folder of its own, because it will hold secrets that no web server
may serve.

${HOW_TO_PACK}

\`\`\`sh
mkdir relay && cd relay
${installLine(['pay-checkout-relay'])}`;

const startOf = ({ develop = 'npm run dev', origin }: Stack): string => `
Start the project (\`${develop}\`), and open
\`${origin}/?token=eyJ…\` with the token.
`;

const quickStart = (stack: Stack): string => `# Quick start: ${stack.title}

## Run a relay and a sandbox

${IN_OWN_FOLDER}
npx --no-install pay-checkout-relay init --yes --origin ${stack.origin}
npx --no-install pay-checkout-relay sandbox --port 9000 &
npx --no-install pay-checkout-relay start --config relay.config.json --port 8787 &
\`\`\`

${NO_ACCOUNT}

${SIGNING}
## Show the element

${stack.note ?? inProject(stack)}

${page(stack)}
${stack.files['index.html'] === undefined ? startOf(stack) : ''}
${PAY}
${NEXT}`;

/** @returns the text of each page, by its file in `docs/` */
export function quickStarts(): Record<string, string> {
  const installed = isReleased(read('CHANGELOG.md')) ? fromRegistry : (text: string) => text;
  const pages = Object.entries(stacks).map(([name, stack]) => [name, quickStart(stack)] as const);
  return Object.fromEntries(
    Object.entries({
      ...Object.fromEntries(pages),
      ...serverQuickStarts(),
      next: nextQuickStart(),
      php: phpQuickStart(),
    }).map(([name, text]) => [`quick-start/${name}.md`, installed(text)]),
  );
}

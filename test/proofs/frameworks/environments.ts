/** The environments: how each one makes its shop, checks its types, builds it and serves it. */

export type Environment = {
  name: string;
  /** The folder of its quick start's files in apps/. */
  folder: string;
  /**
   * The command that makes the project PROJECT. Null when apps/ has the whole project: a starter
   * that downloads its template from somewhere else than the registry does not work everywhere.
   */
  starter: string | null;
  /** Packages that the project needs too, or in another version than the starter's. */
  packages?: readonly string[];
  /** The line that the quick start lets the reader add to a file of the starter. */
  edit?: { file: string; from: string; to: string };
  /** The command that checks the types in strict mode; null without types. */
  types: string | null;
  /** The command that builds the shop; null without a build. */
  build: string | null;
  /** The command that serves the shop on `PORT`; null when the runner serves its page. */
  serve: string | null;
  /** Whether a server writes the element into the page. */
  rendersOnServer: boolean;
  /** Whether the shop's own server mounts the relay at `/pay`, and signs the order token. */
  mountsRelay?: boolean;
  /** A message that a development build prints into the console of every page. */
  ignoredMessage?: RegExp;
};

const VITE_PORT = '--port PORT --strictPort --host 127.0.0.1';
const PREVIEW = `vite preview ${VITE_PORT}`;

const withVite = (name: string, folder: string, template: string, types: string): Environment => ({
  name,
  folder,
  starter: `create-vite PROJECT --template ${template} --no-interactive`,
  types,
  build: 'vite build --logLevel warn',
  serve: PREVIEW,
  rendersOnServer: false,
});

/** A development build reports a wrong hydration, which the production build hides. */
const inDevelopment = (name: string, built: Environment, serve: string): Environment => ({
  ...built,
  name: `${name}, development`,
  types: null,
  build: null,
  serve,
  ignoredMessage: /^Lit is in dev mode/,
});

const svelteCheck = (config: string): string =>
  `svelte-check --tsconfig ./${config} --fail-on-warnings`;

const svelteKit: Environment = {
  name: 'SvelteKit 2',
  folder: 'sveltekit',
  starter: 'sv create PROJECT --template minimal --types ts --no-add-ons --no-install',
  types: `svelte-kit sync && ${svelteCheck('tsconfig.json')}`,
  build: 'vite build --logLevel warn',
  serve: PREVIEW,
  rendersOnServer: true,
};

const next: Environment = {
  name: 'Next.js, app router',
  folder: 'next',
  starter: 'create-next-app PROJECT --yes --skip-install --disable-git',
  edit: {
    file: 'next.config.ts',
    from: '/* config options here */',
    to: "serverExternalPackages: ['pay-checkout-relay', '@photostructure/sqlite'],",
  },
  packages: ['@photostructure/sqlite'],
  types: 'next typegen && tsc -p .',
  build: 'next build',
  serve: 'next start --port PORT --hostname 127.0.0.1',
  rendersOnServer: true,
  mountsRelay: true,
};

const nuxt: Environment = {
  name: 'Nuxt 4',
  folder: 'nuxt',
  starter: null,
  types: 'nuxt typecheck',
  build: 'nuxt build',
  serve: 'NITRO_HOST=127.0.0.1 NITRO_PORT=PORT node .output/server/index.mjs',
  rendersOnServer: true,
};

const astro: Environment = {
  name: 'Astro 5',
  folder: 'astro',
  starter: null,
  types: 'astro check',
  build: 'astro build',
  serve: 'HOST=127.0.0.1 PORT=PORT node ./dist/server/entry.mjs',
  rendersOnServer: true,
};

const react19 = withVite('React 19', 'react-19', 'react-ts', 'tsc -b');

/** The environments of one shop stand together, because the shop is made once for them. */
export const environments: readonly Environment[] = [
  {
    name: 'HTML, script tag',
    folder: 'html',
    starter: null,
    types: null,
    build: null,
    serve: null,
    rendersOnServer: false,
  },
  withVite('Vite, TypeScript', 'vite', 'vanilla-ts', 'tsc'),
  react19,
  {
    ...react19,
    name: 'React 18',
    folder: 'react-18',
    packages: ['react@18', 'react-dom@18', '@types/react@18', '@types/react-dom@18'],
  },
  withVite('Vue 3', 'vue', 'vue-ts', 'vue-tsc -b'),
  withVite('Svelte 5', 'svelte', 'svelte-ts', svelteCheck('tsconfig.app.json')),
  svelteKit,
  inDevelopment('SvelteKit', svelteKit, `vite dev ${VITE_PORT}`),
  withVite('Preact', 'preact', 'preact-ts', 'tsc -b'),
  withVite('Solid', 'solid', 'solid-ts', 'tsc -b'),
  next,
  inDevelopment('Next.js', next, 'next dev --port PORT --hostname 127.0.0.1'),
  nuxt,
  inDevelopment('Nuxt', nuxt, 'nuxt dev --port PORT --host 127.0.0.1'),
  {
    name: 'Angular 20',
    folder: 'angular',
    starter: 'ng new PROJECT --defaults --skip-install --skip-git',
    types: 'ngc -p tsconfig.app.json --noEmit',
    build: 'ng build',
    serve: `${PREVIEW} --outDir dist/shop/browser`,
    rendersOnServer: false,
  },
  astro,
  inDevelopment('Astro', astro, 'astro dev --port PORT --host 127.0.0.1'),
];

/** The environments: how each one checks the types of its shop, builds it and serves it. */

export type Environment = {
  name: string;
  /** The folder of its shop in apps/. */
  folder: string;
  /** The command that checks the types in strict mode; null without types. */
  types: string | null;
  /** The command that builds the shop; null without a build. */
  build: string | null;
  /** The command that serves the shop on `PORT`; null when the runner serves its page. */
  serve: string | null;
  /** Whether a server writes the element into the page. */
  rendersOnServer: boolean;
  /** A message that a development build prints into the console of every page. */
  ignoredMessage?: RegExp;
};

const PREVIEW = 'vite preview --port PORT --strictPort --host 127.0.0.1';

const withVite = (name: string, folder: string, types = 'tsc -p .'): Environment => ({
  name,
  folder,
  types,
  build: 'vite build --logLevel warn',
  serve: PREVIEW,
  rendersOnServer: false,
});

export const environments: readonly Environment[] = [
  {
    name: 'HTML, script tag',
    folder: 'html',
    types: null,
    build: null,
    serve: null,
    rendersOnServer: false,
  },
  withVite('Vite, TypeScript', 'vite'),
  withVite('React 19', 'react-19'),
  withVite('React 18', 'react-18'),
  withVite('Vue 3', 'vue', 'vue-tsc -p .'),
  withVite('Svelte 5', 'svelte', 'svelte-check --tsconfig ./tsconfig.json --fail-on-warnings'),
  {
    name: 'SvelteKit 2',
    folder: 'sveltekit',
    types: 'svelte-kit sync && svelte-check --tsconfig ./tsconfig.json --fail-on-warnings',
    build: 'vite build --logLevel warn',
    serve: 'HOST=127.0.0.1 PORT=PORT node build',
    rendersOnServer: true,
  },
  withVite('Preact', 'preact'),
  withVite('Solid', 'solid'),
  {
    name: 'Next.js, app router',
    folder: 'next',
    types: 'next typegen && tsc -p .',
    build: 'next build',
    serve: 'next start --port PORT --hostname 127.0.0.1',
    rendersOnServer: true,
  },
  {
    name: 'Next.js, development',
    folder: 'next',
    types: null,
    build: null,
    serve: 'next dev --port PORT --hostname 127.0.0.1',
    rendersOnServer: true,
    ignoredMessage: /^Lit is in dev mode/,
  },
  {
    name: 'Nuxt 4',
    folder: 'nuxt',
    types: 'nuxt typecheck',
    build: 'nuxt build',
    serve: 'NITRO_HOST=127.0.0.1 NITRO_PORT=PORT node .output/server/index.mjs',
    rendersOnServer: true,
  },
  {
    name: 'Angular 20',
    folder: 'angular',
    types: 'ngc -p . --noEmit',
    build: 'ng build',
    serve: `${PREVIEW} --outDir dist/browser`,
    rendersOnServer: false,
  },
  {
    name: 'Astro 5',
    folder: 'astro',
    types: 'astro check',
    build: 'astro build',
    serve: 'HOST=127.0.0.1 PORT=PORT node ./dist/server/entry.mjs',
    rendersOnServer: true,
  },
];

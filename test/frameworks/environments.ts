/** The environments: how each checks its types, is built and is served. */

export type Environment = {
  name: string;
  /** Below apps/. */
  folder: string;
  /** Checks the types in strict mode; null where there are none. */
  types: string | null;
  /** Null where nothing is built. */
  build: string | null;
  /** Serves the shop on `PORT`; null: the runner serves the page and fills in relay and token. */
  serve: string | null;
  /** The page comes with the element from a server. */
  rendersOnServer: boolean;
  /** What a development build says on every page, whatever is on it. */
  alwaysSays?: RegExp;
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
    alwaysSays: /^Lit is in dev mode/,
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

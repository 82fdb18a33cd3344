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
  /** Whether the page pays at a relay that the shop's own server mounts at `/pay`. */
  mountsRelay?: boolean;
  /** A message that a development build prints into the console of every page. */
  ignoredMessage?: RegExp;
};

const VITE_PORT = '--port PORT --strictPort --host 127.0.0.1';
const PREVIEW = `vite preview ${VITE_PORT}`;

const withVite = (name: string, folder: string, types = 'tsc -p .'): Environment => ({
  name,
  folder,
  types,
  build: 'vite build --logLevel warn',
  serve: PREVIEW,
  rendersOnServer: false,
});

/** A development build reports a wrong hydration, which the production build hides. */
const inDevelopment = (name: string, folder: string, serve: string): Environment => ({
  name: `${name}, development`,
  folder,
  types: null,
  build: null,
  serve,
  rendersOnServer: true,
  ignoredMessage: /^Lit is in dev mode/,
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
  inDevelopment('SvelteKit', 'sveltekit', `vite dev ${VITE_PORT}`),
  withVite('Preact', 'preact'),
  withVite('Solid', 'solid'),
  {
    name: 'Next.js, app router',
    folder: 'next',
    types: 'next typegen && tsc -p .',
    build: 'next build',
    serve: 'next start --port PORT --hostname 127.0.0.1',
    rendersOnServer: true,
    mountsRelay: true,
  },
  {
    name: 'Next.js, separate relay',
    folder: 'next',
    types: null,
    // it serves what the row above has built
    build: null,
    serve: 'next start --port PORT --hostname 127.0.0.1',
    rendersOnServer: true,
  },
  {
    ...inDevelopment('Next.js', 'next', 'next dev --port PORT --hostname 127.0.0.1'),
    mountsRelay: true,
  },
  {
    name: 'Nuxt 4',
    folder: 'nuxt',
    types: 'nuxt typecheck',
    build: 'nuxt build',
    serve: 'NITRO_HOST=127.0.0.1 NITRO_PORT=PORT node .output/server/index.mjs',
    rendersOnServer: true,
  },
  inDevelopment('Nuxt', 'nuxt', 'nuxt dev --port PORT --host 127.0.0.1'),
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
  inDevelopment('Astro', 'astro', 'astro dev --port PORT --host 127.0.0.1'),
];

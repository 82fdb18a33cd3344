/** Runs the worker in workerd, as a process that the tests can kill. */
import { Miniflare } from 'miniflare';
import { bundleWorker } from './bundle.mjs';

const { config, folder, port, secrets, shop } = JSON.parse(process.env.SETUP);

/** Gives the worker the configuration of this start in place of the file beside it. */
const configuration = {
  name: 'configuration',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /relay\.config\.json$/ }, () => ({ path: 'config', namespace: 'config' }));
    onLoad({ filter: /.*/, namespace: 'config' }, () => ({
      contents: JSON.stringify(config),
      loader: 'json',
    }));
  },
};
const miniflare = new Miniflare({
  modules: [await bundleWorker('worker.mjs', [configuration])],
  compatibilityDate: '2026-03-01',
  host: '127.0.0.1',
  port,
  bindings: { ...secrets, SHOP_SETUP: shop },
  durableObjects: {
    RELAY: { className: 'Relay', useSQLite: true },
    SHOP: { className: 'Shop', useSQLite: true },
  },
  durableObjectsPersist: `${folder}/objects`,
});
await miniflare.ready;

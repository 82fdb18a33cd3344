/** Prints what the ledger in a Durable Object finds wrong in itself after each of its methods. */
import { Miniflare } from 'miniflare';
import { bundleWorker } from './bundle.mjs';

const miniflare = new Miniflare({
  modules: [await bundleWorker('ledger-worker.mjs')],
  compatibilityDate: '2026-03-01',
  compatibilityFlags: ['nodejs_compat'],
  durableObjects: { LEDGER: { className: 'Ledger', useSQLite: true } },
});
try {
  const answer = await miniflare.dispatchFetch('http://worker/');
  console.log(await answer.text());
} finally {
  await miniflare.dispose();
}

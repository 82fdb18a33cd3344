/**
 * A page of the documentation on a web server. The element of a quick start is on it, and the
 * customer's phone lists what was paid with it.
 */
import type { SearchEntry } from '../docs-site/site.js';
import { withPhoneOrder } from '../phone-orders.js';
import { startSearch } from './docs-page.js';

document.addEventListener('pay-order', ({ order }) => {
  document.cookie = withPhoneOrder(document.cookie, order.request_id);
});

// the picture stays where the script of the element cannot run
const sample = document.querySelector('.sample');
if (sample) void import('./docs-sample.js').then(({ showSample }) => showSample(sample));

startSearch(async (address) => (await fetch(address)).json() as Promise<SearchEntry[]>);

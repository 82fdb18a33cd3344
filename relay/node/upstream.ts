/** What the histogram of the calls of the order service says to a person. */
import type { Histogram } from 'prom-client';
import type { Upstream } from '../gauges.js';

const HALF = 0.5;
const MOST = 0.95;

/** @param seconds of calls, with the label `result` */
export async function readUpstream(seconds: Pick<Histogram, 'get'>): Promise<Upstream> {
  const results: Record<string, number> = {};
  /** Calls that ended within each bound. */
  const within = new Map<number, number>();
  for (const { labels, metricName = '', value } of (await seconds.get()).values) {
    if (metricName.endsWith('_count')) {
      const result = String(labels.result);
      results[result] = (results[result] ?? 0) + value;
    }
    const bound = Number(labels.le);
    // the bucket of all calls has no bound that is a number
    if (metricName.endsWith('_bucket') && Number.isFinite(bound))
      within.set(bound, (within.get(bound) ?? 0) + value);
  }
  const calls = Object.values(results).reduce((sum, count) => sum + count, 0);
  const boundOf = (share: number): number | null => {
    if (calls === 0) return null;
    const bounds = [...within].filter(([, count]) => count >= calls * share);
    return bounds.length === 0 ? null : Math.min(...bounds.map(([bound]) => bound));
  };
  return { results, half_s: boundOf(HALF), most_s: boundOf(MOST) };
}

/** Prometheus figures of one relay. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Gauge as GaugeName } from '../app.js';
import type { Metrics } from '../runtime.js';

const PREFIX = 'pay_checkout_';
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const gaugeHelp: Record<GaugeName, string> = {
  breaker_open: '1 while the order service is silent and nothing is sent to it',
  queries_per_second: 'budget of queries that falls to this relay',
  queries_queued: 'orders waiting for their turn to be asked about',
  outbox_waiting: 'shop events not yet delivered',
  outbox_lag_seconds: 'age of the oldest shop event not yet delivered',
};

export type MetricsPage = {
  metrics: Metrics;
  /** Prometheus text. */
  page(gauges: Record<GaugeName, number>): Promise<string>;
  type: string;
};

/**
 * @param options ids, whose series begin at zero
 * @param droppedLines how many lines the log dropped since the process began
 *
 * Event-loop delay, memory and garbage collection come with the default metrics.
 */
export function createMetrics(
  options: readonly string[] = [],
  droppedLines: () => number = () => 0,
): MetricsPage {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[]): Counter =>
    new Counter({ name: `${PREFIX}${name}_total`, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: string[]): Histogram =>
    new Histogram({ name: PREFIX + name, help, labelNames, buckets: SECONDS, registers });
  const gauge = (name: string, help: string): Gauge =>
    new Gauge({ name: PREFIX + name, help, registers });

  const waiting = gauge('waiting_checkouts', 'long polls held open');
  const counters = {
    orders: counter('orders', 'orders that came to an outcome', ['option', 'outcome']),
    webhook_signals: counter(
      'webhook_signals',
      'calls of notify_url, by whether the capability was ours',
      ['known'],
    ),
    requests: counter('requests', 'requests answered', ['path', 'status']),
    shop_events: counter('shop_events', 'tries to deliver a shop event, by result', ['result']),
    unmapped_statuses: counter('unmapped_statuses', 'status values that the table does not know', [
      'status',
    ]),
  };
  // a series that begins with its first event hides that event from whoever watches for an increase
  for (const result of ['delivered', 'failed', 'given_up']) counters.shop_events.inc({ result }, 0);
  for (const option of options)
    for (const outcome of ['succeeded', 'review']) counters.orders.inc({ option, outcome }, 0);
  counters.unmapped_statuses.inc({ status: 'any' }, 0);
  const histograms = {
    upstream_seconds: histogram(
      'upstream_seconds',
      'calls of the order service by operation and result',
      ['operation', 'result'],
    ),
    request_seconds: histogram('request_seconds', 'answers of the relay, long polls included', [
      'path',
    ]),
  };
  new Counter({
    name: `${PREFIX}log_lines_dropped_total`,
    help: 'lines of the log that nobody read in time, or that found no room on the disk',
    registers,
    collect() {
      this.reset();
      this.inc(droppedLines());
    },
  });
  const gauges = Object.entries(gaugeHelp).map(([name, help]) => ({
    name: name as GaugeName,
    gauge: gauge(name, help),
  }));
  return {
    type: registry.contentType,
    metrics: {
      add: (name, by, labels = {}) =>
        name === 'waiting_checkouts' ? waiting.inc(by) : counters[name].inc(labels, by),
      observe: (name, seconds, labels) => histograms[name].observe(labels, seconds),
    },
    page: (values) => {
      for (const { gauge: each, name } of gauges) each.set(values[name]);
      return registry.metrics();
    },
  };
}

/** Prometheus metrics of one relay. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Gauge as GaugeName, Gauges, OutcomeGauge, Upstream } from '../gauges.js';
import { payBackReasons } from '../ledger/rows.js';
import type { Metrics } from '../runtime.js';
import { droppedLogLines } from './log.js';

const PREFIX = 'pay_checkout_';
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const gaugeHelp: Record<GaugeName, string> = {
  breaker_open: '1 while the circuit breaker is open and the relay sends no orders',
  ledger_read_only: '1 while the ledger can be read and not written, so that new pays are refused',
  service_refuses:
    '1 while the order service refuses the relay, for example its key, or five pays in a row',
  queries_per_second: 'share of the query budget that this relay has',
  queries_queued: 'orders that wait for a query',
  outbox_waiting: 'shop events that are not yet delivered; 0 without shop_events',
  outbox_lag_seconds: 'age of the oldest shop event that is not yet delivered',
  outbox_stopped: 'shop events that the relay has given up and the shop still lacks',
  lists_held_back_seconds: 'age of the open transaction that holds back the lists the longest',
};

const outcomeGaugeHelp: Record<OutcomeGauge, string> = {
  orders_open:
    'purchases that wait for an order of this outcome and none of a more urgent one; of closed ' +
    'purchases only those that a person must look at',
  orders_oldest_seconds: 'how long the first of these purchases has waited',
};

export type MetricsPage = {
  metrics: Metrics;
  /**
   * Writes the metrics in the Prometheus text format.
   *
   * @param gauges null when the ledger cannot be read; the page then has none of them
   */
  page(gauges: Gauges | null): Promise<string>;
  /** How the calls of the order service went. */
  upstream(): Promise<Upstream>;
  /** Begins the series of these payment options at zero. */
  begin(options: readonly string[]): void;
  type: string;
};

/** Includes the default metrics: event-loop delay, memory and garbage collection. */
export function createMetrics(): MetricsPage {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[]): Counter =>
    new Counter({ name: `${PREFIX}${name}_total`, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: string[]): Histogram =>
    new Histogram({ name: PREFIX + name, help, labelNames, buckets: SECONDS, registers });
  const gauge = (name: string, help: string, labelNames: string[] = []): Gauge =>
    new Gauge({ name: PREFIX + name, help, labelNames, registers });

  const waiting = gauge('waiting_checkouts', 'open long polls');
  const ledgerUp = gauge('ledger_up', '1 while the ledger can be read');
  const counters = {
    orders: counter('orders', 'orders that reached an outcome, by option and outcome', [
      'option',
      'outcome',
    ]),
    webhook_signals: counter(
      'webhook_signals',
      'calls of notify_url, by whether their capability is valid: known true or false',
      ['known'],
    ),
    requests: counter('requests', 'answered requests, by path and HTTP status', ['path', 'status']),
    service_refusals: counter(
      'service_refusals',
      'refusals of the order service by HTTP status, without those of unknown orders',
      ['status'],
    ),
    service_early_ends: counter(
      'service_early_ends',
      'kept connections that the order service closed, by the request on them: none or lost',
      ['request'],
    ),
    shop_events: counter(
      'shop_events',
      'attempts to deliver a shop event, by result: delivered, failed or given_up',
      ['result'],
    ),
    reviews: counter('reviews', 'orders that went to review, by option and reason', [
      'option',
      'reason',
    ]),
    pay_backs: counter(
      'pay_backs',
      'payments that must be given back, by option and reason; no decision of a command counts',
      ['option', 'reason'],
    ),
    unmapped_statuses: counter(
      'unmapped_statuses',
      'status values that are not in the status table, by status',
      ['status'],
    ),
  };
  // an alert on an increase misses the first event of a series that does not begin at zero
  for (const result of ['delivered', 'failed', 'given_up']) counters.shop_events.inc({ result }, 0);
  for (const status of ['401', '403']) counters.service_refusals.inc({ status }, 0);
  for (const request of ['none', 'lost']) counters.service_early_ends.inc({ request }, 0);
  counters.unmapped_statuses.inc({ status: 'any' }, 0);
  for (const status of ['500', '502', '503', '504'])
    counters.requests.inc({ path: '/v1/pay', status }, 0);
  const histograms = {
    upstream_seconds: histogram(
      'upstream_seconds',
      'duration of calls of the order service, by operation and result: ok, not_found or a ' +
        'kind of error',
      ['operation', 'result'],
    ),
    request_seconds: histogram(
      'request_seconds',
      'duration of requests to the relay, including long polls, by path',
      ['path'],
    ),
  };
  new Counter({
    name: `${PREFIX}log_lines_dropped_total`,
    help: 'log lines dropped because the reader was too slow or the disk was full',
    registers,
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });
  const gauges = Object.entries(gaugeHelp).map(([name, help]) => ({
    name: name as GaugeName,
    gauge: gauge(name, help),
  }));
  const outcomeGauges = Object.entries(outcomeGaugeHelp).map(([name, help]) => ({
    name: name as OutcomeGauge,
    gauge: gauge(name, help, ['outcome']),
  }));
  return {
    type: registry.contentType,
    metrics: {
      add: (name, by, labels = {}) =>
        name === 'waiting_checkouts' ? waiting.inc(by) : counters[name].inc(labels, by),
      observe: (name, seconds, labels) => histograms[name].observe(labels, seconds),
    },
    upstream: () => readUpstream(histograms.upstream_seconds),
    begin: (options) => {
      for (const option of options) {
        for (const outcome of ['succeeded', 'review']) counters.orders.inc({ option, outcome }, 0);
        for (const reason of ['code_mismatch', 'payee_mismatch'])
          counters.reviews.inc({ option, reason }, 0);
        for (const reason of payBackReasons) counters.pay_backs.inc({ option, reason }, 0);
      }
    },
    page: (values) => {
      ledgerUp.set(values ? 1 : 0);
      for (const { gauge: each, name } of gauges)
        if (values) each.set(values[name]);
        else each.remove();
      for (const { gauge: each, name } of outcomeGauges) {
        each.reset();
        for (const [outcome, value] of Object.entries(values?.[name] ?? {}))
          each.set({ outcome }, value);
      }
      return registry.metrics();
    },
  };
}

const HALF = 0.5;
const MOST = 0.95;

/**
 * What the histogram of the calls of the order service says to a person.
 *
 * @param seconds of calls, with the label `result`
 */
async function readUpstream(seconds: Pick<Histogram, 'get'>): Promise<Upstream> {
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

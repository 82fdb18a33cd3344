/**
 * What a shop needs before it can sell. Live mode is refused without it. In test mode the relay
 * starts, and logs what is missing.
 */
import type { z } from 'zod';
import { refuser } from './refinements.js';
import { CREATED, type StatusTable } from './statuses.js';
import { needsTestMode } from './web-addresses.js';

/** How a shop learns the statuses of its service, which are not documented. */
export const FIND_STATUSES =
  'Ask the service for its list of statuses, or pay in its test mode: the log line ' +
  'unmapped_status contains the status';

type Sales = {
  options: readonly { enabled: boolean }[];
  deposits: readonly unknown[];
  statuses: StatusTable;
};

type Gap = {
  path: 'options' | 'statuses';
  /** What does not work without the line. */
  effect: string;
  /** The line of configuration to write. */
  line: string;
};

/** Finds what is missing for a sale; the status table is needed only where there are options. */
export function missingForSales({ deposits, options, statuses }: Sales): Gap[] {
  const gaps: Gap[] = [];
  if (deposits.length === 0 && !options.some(({ enabled }) => enabled))
    gaps.push({
      path: 'options',
      effect: 'customers find no way to pay',
      line:
        'an enabled option or an asset in deposits, such as ' +
        '"options": [{"id": "card", "label": "Card", "payment_method": "on_line"}]',
    });
  if (options.length > 0 && !Object.values(statuses).includes('succeeded'))
    gaps.push({
      path: 'statuses',
      effect: 'no order ever counts as paid',
      line:
        '"statuses": {"STATUS": "succeeded"}, where STATUS is what the service says when paid. ' +
        FIND_STATUSES,
    });
  return gaps;
}

type Checked = Sales & {
  mode: 'live' | 'test';
  service: { base_url: string };
  shop_events?: { url: string } | undefined;
};

/** Refuses in live mode what is allowed only in test mode. */
export function checkLiveMode(config: Checked, context: z.RefinementCtx): void {
  if (config.mode !== 'live') return;
  const refuse = refuser(context);
  for (const { line, path } of missingForSales(config)) refuse([path], line);
  if (config.statuses[CREATED] === 'succeeded')
    refuse(
      ['statuses', String(CREATED)],
      `another outcome: ${CREATED} is the status of a new order, which nobody has paid`,
    );
  const called = [
    [['service', 'base_url'], config.service.base_url],
    [['shop_events', 'url'], config.shop_events?.url],
  ] as const;
  for (const [path, url] of called)
    if (url !== undefined && needsTestMode(url))
      refuse([...path], 'an https URL, since mode is "live" (http on loopback only)');
}

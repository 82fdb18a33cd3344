/** The names of all faults in a simulated world, by who causes them. */
export const machineFaults = [
  'kill',
  'freeze',
  'clock_step',
  'full_disk',
  'database_gone',
  'power_cut',
  'restore',
  'outage',
  'webhooks_lost',
  'shop_restored',
] as const;
export const serviceFaults = [
  'lost_request',
  'late_request',
  'lost_answer',
  'late_answer',
  'unreadable_answer',
  'absent_echo',
  'wrong_echo',
  'odd_status',
  'odd_link',
  'refusal',
  'rate_limit',
  'signals_lost',
  'foreign_orders',
  'foreign_payouts',
  'code_expired',
] as const;
export const shopFaults = ['receiver_refuses', 'receiver_hangs', 'receiver_replays'] as const;
export const customerFaults = [
  'lost_page_answer',
  'tabs',
  'reload',
  'replayed_pay',
  'switch',
  'guess',
  'late_payment',
  'closed',
  'basket_changed',
] as const;

export const faultNames = [
  ...machineFaults,
  ...serviceFaults,
  ...shopFaults,
  ...customerFaults,
] as const;

export type MachineFault = (typeof machineFaults)[number];
export type FaultName = (typeof faultNames)[number];

/** All proofs by name. */
import { age } from './age.js';
import { catchUp } from './catch-up.js';
import { clicks } from './clicks.js';
import { closedTab } from './closed-tab.js';
import { code } from './code.js';
import { failover, pooledFailover } from './failover.js';
import { fuzz } from './fuzz.js';
import { busyDay, kill, resend } from './kill.js';
import { leak } from './leak.js';
import { links } from './links.js';
import { outage } from './outage.js';
import { outbox } from './outbox.js';
import type { Proof } from './proof.js';
import { qr } from './qr.js';
import { restart } from './restart.js';
import { schedules } from './schedules.js';
import { slow } from './slow.js';
import { storm } from './storm.js';
import { tamper } from './tamper.js';
import { webhook } from './webhook.js';
import { window } from './window.js';

export const proofs: Readonly<Record<string, Proof>> = {
  kill,
  resend,
  'busy-day': busyDay,
  clicks,
  tamper,
  fuzz,
  webhook,
  storm,
  outage,
  slow,
  leak,
  links,
  code,
  outbox,
  restart,
  schedules,
  qr,
  window,
  age,
  'closed-tab': closedTab,
  'catch-up': catchUp,
  failover,
  'failover-pgbouncer': pooledFailover,
};

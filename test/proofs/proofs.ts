/** All proofs by name. */
import { age } from './age.js';
import { catchUp } from './catch-up.js';
import { code } from './code.js';
import { operatorConsole } from './console.js';
import { encoder } from './encoder.js';
import { failover, pooledFailover } from './failover.js';
import { fuzz } from './fuzz.js';
import { busyDay, kill } from './kill.js';
import { leak } from './leak.js';
import { links } from './links.js';
import { outage } from './outage.js';
import type { Proof } from './proof.js';
import { qr } from './qr.js';
import { reload } from './reload.js';
import { restart } from './restart.js';
import { slow } from './slow.js';
import { storm } from './storm.js';
import { tamper } from './tamper.js';
import { window } from './window.js';

export const proofs: Readonly<Record<string, Proof>> = {
  kill,
  'busy-day': busyDay,
  tamper,
  fuzz,
  storm,
  outage,
  slow,
  leak,
  links,
  code,
  restart,
  reload,
  qr,
  encoder,
  window,
  age,
  'catch-up': catchUp,
  console: operatorConsole,
  failover,
  'failover-pgbouncer': pooledFailover,
};

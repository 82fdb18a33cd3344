/** The commands of `pay-checkout-relay` by name, in the order of its help. */
import type { Command } from './arguments.js';
import { check } from './check.js';
import { init } from './init.js';
import { ledger } from './ledger.js';
import { listen } from './listen.js';
import { mcp } from './mcp.js';
import { orders } from './orders.js';
import { relay as start } from './relay.js';
import { sandbox } from './sandbox.js';
import { sign } from './sign.js';
import { sri } from './sri.js';
import { trigger } from './trigger.js';

export const commands = {
  start,
  init,
  check,
  sandbox,
  sri,
  listen,
  trigger,
  sign,
  orders,
  ledger,
  mcp,
} satisfies Record<string, Command>;

/** The commands of `pay-checkout-relay` by name, in the order of its help. */
import type { Command } from './arguments.js';
import { check } from './check.js';
import { customers } from './customers.js';
import { events } from './events.js';
import { init } from './init.js';
import { intents } from './intents.js';
import { ledger } from './ledger.js';
import { links } from './links.js';
import { listen } from './listen.js';
import { mcp } from './mcp.js';
import { options } from './options.js';
import { orders } from './orders.js';
import { relay as start } from './relay.js';
import { sandbox } from './sandbox.js';
import { sign } from './sign.js';
import { sri } from './sri.js';
import { todo } from './todo.js';
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
  todo,
  orders,
  events,
  intents,
  options,
  customers,
  links,
  ledger,
  mcp,
} satisfies Record<string, Command>;

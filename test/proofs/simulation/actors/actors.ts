/** All actors of a world. */
import type { Actor } from './actor.js';
import { backends } from './backends.js';
import { customers } from './customers.js';
import { foreignShops } from './foreign-shops.js';
import { machines } from './machines.js';

export const actors: readonly Actor[] = [customers, machines, backends, foreignShops];

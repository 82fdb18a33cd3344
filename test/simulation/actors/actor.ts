/**
 * An actor does something in a world, from its beginning on. A new actor is a file in this folder
 * and a line in `actors.ts`; it reaches everything through the world.
 */
import type { World } from '../world.js';

/** @returns when the actor has done all that it will do */
export type Actor = (world: World) => Promise<void>;

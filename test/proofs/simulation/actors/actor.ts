/**
 * An actor acts in a world from the world's beginning, and reaches everything through the world.
 * A new actor is a file in this folder and a line in `actors.ts`.
 */
import type { World } from '../world.js';

/** @returns when the actor has done all that it will do */
export type Actor = (world: World) => Promise<void>;

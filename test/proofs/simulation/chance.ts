/**
 * Random numbers from a seed. Each actor and each order has a stream of its own. When one actor is
 * left out, the others draw the same numbers as before, so that a failure can be made smaller.
 */
import { randomFrom } from '../../suite/support/random.js';

export type Random = {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to `below` - 1. */
  whole(below: number): number;
  /** A whole number from `from` to `to`. */
  between(from: number, to: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** One of the names, each as often as its weight says. */
  weighted<N extends string>(weights: Readonly<Record<N, number>>): N;
  /** A waiting time with this mean; short ones are the most frequent. */
  wait(meanMs: number): number;
  uuid(): string;
};

/** A stream for a name; the same seed and name give the same numbers. */
export type Chance = (...name: readonly (string | number)[]) => Random;

export const createChance =
  (seed: number): Chance =>
  (...name) =>
    createRandom(hash(`${seed}/${name.join('/')}`));

/** FNV-1a over the characters, then mixed, since neighbouring names must not give like streams. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}

function createRandom(seed: number): Random {
  const next = randomFrom(seed);
  const whole = (below: number): number => Math.floor(next() * below);
  const digits = (count: number): string =>
    Array.from({ length: count }, () => whole(16).toString(16)).join('');
  return {
    next,
    whole,
    between: (from, to) => from + whole(to - from + 1),
    chance: (probability) => next() < probability,
    pick: ([first, ...rest]) => rest[whole(rest.length + 1) - 1] ?? first,
    weighted: (weights) => {
      const names = namesOf(weights);
      let left = next() * names.reduce((sum, name) => sum + weights[name], 0);
      const found = names.find((name) => (left -= weights[name]) < 0) ?? names[0];
      if (found === undefined) throw new Error('nothing to choose from');
      return found;
    },
    wait: (meanMs) => Math.round(-Math.log(1 - next()) * meanMs),
    uuid: () => `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`,
  };
}

function namesOf<N extends string>(weights: Readonly<Record<N, number>>): N[] {
  const names: N[] = [];
  for (const name in weights) names.push(name);
  return names;
}

/** The number of rounds of each contender, and of requests in one round. */
export type BenchSizes = { rounds: number; requests: number };

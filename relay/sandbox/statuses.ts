/** Statuses of the sandbox. Only 11 is documented; the others are the sandbox's own numbers. */
export const statuses = { created: 11, paid: 20, declined: 30, expired: 40 } as const;
export type Statuses = { readonly [K in keyof typeof statuses]: number };

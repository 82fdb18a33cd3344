/** The status numbers of the simulated service. */
export const STATUS = {
  created: 11,
  otherCreated: 12,
  paid: 20,
  declined: 30,
  expired: 40,
  unmapped: 55,
} as const;

/**
 * Families of crypto addresses whose form and payment URI are known; any other asset's address is
 * shown as it came.
 */
export const addressFamilies = [
  'bitcoin',
  'litecoin',
  'dogecoin',
  'ethereum',
  'solana',
  'ripple',
  'stellar',
  'tron',
] as const;
export type AddressFamily = (typeof addressFamilies)[number];

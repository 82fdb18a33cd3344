import { fileURLToPath } from 'node:url';
import type { NextConfig } from 'next';

const config: NextConfig = {
  // the packages are installed two folders above
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
  serverExternalPackages: ['pay-checkout-relay'],
  devIndicators: false,
};
export default config;

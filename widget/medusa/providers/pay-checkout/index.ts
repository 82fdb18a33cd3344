import type { ModuleProviderExports } from '@medusajs/framework/types';
import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { PayCheckoutProvider } from './service.js';

const provider: ModuleProviderExports = ModuleProvider(Modules.PAYMENT, {
  services: [PayCheckoutProvider],
});
export default provider;

import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { PayCheckoutProvider } from './service';

export default ModuleProvider(Modules.PAYMENT, { services: [PayCheckoutProvider] });

/** The plugin for Vendure. */
import { PluginCommonModule, ScheduledTask, VendurePlugin, type Type } from '@vendure/core';
import { EventsController, keepRawBody } from './controller.js';
import { PayCheckoutEvent, PayCheckoutProgress, PayCheckoutRefund } from './entities.js';
import {
  payCheckoutHandler,
  payCheckoutOrderProcess,
  payCheckoutPaymentProcess,
} from './handler.js';
import { checkOptions, PAY_CHECKOUT_OPTIONS, type PayCheckoutOptions } from './options.js';
import { PayCheckoutService } from './service.js';

const EVERY_MINUTE = '* * * * *';

const reconcileTask = (schedule: string): ScheduledTask =>
  new ScheduledTask({
    id: 'pay-checkout-reconcile',
    description: 'Settles the payments whose events were not delivered.',
    schedule,
    execute: async ({ injector }) => ({ read: await injector.get(PayCheckoutService).reconcile() }),
  });

@VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: '^3.7.0',
  entities: [PayCheckoutEvent, PayCheckoutProgress, PayCheckoutRefund],
  controllers: [EventsController],
  providers: [
    { provide: PAY_CHECKOUT_OPTIONS, useFactory: () => PayCheckoutPlugin.options },
    PayCheckoutService,
  ],
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(payCheckoutHandler);
    const { process = [] } = config.paymentOptions;
    config.paymentOptions.process = [...process, payCheckoutPaymentProcess];
    config.orderOptions.process.push(payCheckoutOrderProcess);
    config.apiOptions.middleware.push(keepRawBody);
    const task = reconcileTask(PayCheckoutPlugin.options.schedule ?? EVERY_MINUTE);
    config.schedulerOptions.tasks = [...(config.schedulerOptions.tasks ?? []), task];
    return config;
  },
})
export class PayCheckoutPlugin {
  static options: PayCheckoutOptions;

  /** @throws Error when an option is missing */
  static init(options: PayCheckoutOptions): Type<PayCheckoutPlugin> {
    PayCheckoutPlugin.options = checkOptions(options);
    return PayCheckoutPlugin;
  }
}

/** Vendure's payment method for pay-checkout, with what it adds to payments and orders. */
import {
  LanguageCode,
  PaymentMethodHandler,
  type Injector,
  type OrderProcess,
  type PaymentProcess,
} from '@vendure/core';
import { OPEN, PayCheckoutService } from './service.js';

let service: PayCheckoutService;
const init = (injector: Injector): void => {
  service = injector.get(PayCheckoutService);
};

/**
 * It has no `createRefund`: the order service has no refund. Vendure keeps a refund as pending
 * until an administrator says that it was paid back.
 */
export const payCheckoutHandler: PaymentMethodHandler = new PaymentMethodHandler({
  code: 'pay-checkout',
  description: [{ languageCode: LanguageCode.en, value: 'pay-checkout' }],
  args: {},
  init,
  createPayment: (ctx, order) => service.createPayment(ctx, order),
  settlePayment: (_ctx, order, payment) => service.settlePayment(order, payment),
  cancelPayment: (_ctx, _order, payment) => service.cancelPayment(payment),
});

/** A payment waits in a state of its own, because a method may not leave it in `Created`. */
export const payCheckoutPaymentProcess: PaymentProcess<typeof OPEN> = {
  transitions: {
    Created: { to: [OPEN], mergeStrategy: 'merge' },
    [OPEN]: { to: ['Settled', 'Cancelled', 'Error'] },
  },
};

/** Nobody may pay for an order that is changed or canceled, and a paid order stays as it is. */
export const payCheckoutOrderProcess: OrderProcess<string> = {
  init,
  onTransitionStart: async (fromState, toState, { ctx, order }) => {
    if (fromState !== 'ArrangingPayment') return undefined;
    if (toState !== 'AddingItems' && toState !== 'Cancelled') return undefined;
    return (await service.closeOpenPayments(ctx, order.id)) ?? undefined;
  },
  // Nobody pays a second time for an order that is placed.
  onTransitionEnd: async (fromState, toState, { ctx, order }) => {
    if (fromState !== 'ArrangingPayment') return;
    if (toState !== 'PaymentSettled' && toState !== 'PaymentAuthorized') return;
    await service.closeOpenPayments(ctx, order.id);
  },
};

import type { EmitFn, HTMLAttributes } from 'vue';
import type { PayCheckout, PaySucceededEvent } from 'pay-checkout';

type Props = Partial<
  Pick<PayCheckout, 'relay' | 'orderToken' | 'sku' | 'theme' | 'display' | 'locale' | 'openIn'>
>;

declare module 'vue' {
  interface GlobalComponents {
    'pay-checkout': new () => {
      $props: HTMLAttributes & Props & { onPaySucceeded?: (event: PaySucceededEvent) => void };
      $emit: EmitFn<{ 'pay-succeeded': (event: PaySucceededEvent) => void }>;
    };
  }
}

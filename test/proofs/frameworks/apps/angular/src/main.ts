import {
  ChangeDetectionStrategy,
  Component,
  CUSTOM_ELEMENTS_SCHEMA,
  provideZonelessChangeDetection,
  signal,
} from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import type { PaySucceededEvent } from 'pay-checkout';
import 'pay-checkout/define';

@Component({
  selector: 'shop-checkout',
  changeDetection: ChangeDetectionStrategy.OnPush,
  // without it Angular refuses the name of a custom element
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <pay-checkout
      [relay]="relay"
      [orderToken]="token"
      (pay-succeeded)="succeeded($any($event))"
    ></pay-checkout>
    <output id="paid-order">{{ paidOrder() }}</output>
  `,
})
class Checkout {
  private readonly query = new URLSearchParams(location.search);
  protected readonly relay = this.query.get('relay') ?? '';
  protected readonly token = this.query.get('token') ?? '';
  protected readonly paidOrder = signal('');

  protected succeeded(event: PaySucceededEvent): void {
    // @ts-expect-error: an order has no such field
    void event.order.nothing;
    this.paidOrder.set(event.order.request_id);
  }
}

bootstrapApplication(Checkout, { providers: [provideZonelessChangeDetection()] }).catch(
  (error: unknown) => console.error(error),
);

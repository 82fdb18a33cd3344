import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core';
import type { PaySucceededEvent } from 'pay-checkout';
import 'pay-checkout/define';

@Component({
  selector: 'app-root',
  // without it Angular refuses the name of a custom element
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <pay-checkout
      relay="http://localhost:8787"
      [orderToken]="token"
      (pay-succeeded)="succeeded($any($event))"
    ></pay-checkout>
    <output id="paid-order">{{ paidOrder() }}</output>
  `,
})
export class App {
  protected readonly token = new URLSearchParams(location.search).get('token') ?? '';
  protected readonly paidOrder = signal('');

  protected succeeded(event: PaySucceededEvent): void {
    // @ts-expect-error: an order has no such field
    void event.order.nothing;
    this.paidOrder.set(event.order.request_id);
  }
}

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
  // Angular knows no names of custom elements
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <pay-checkout
      [relay]="relay"
      [orderToken]="token"
      (pay-succeeded)="succeeded($any($event))"
    ></pay-checkout>
    <output id="heard">{{ heard() }}</output>
  `,
})
class Checkout {
  private readonly asked = new URLSearchParams(location.search);
  protected readonly relay = this.asked.get('relay') ?? '';
  protected readonly token = this.asked.get('token') ?? '';
  protected readonly heard = signal('');

  protected succeeded(event: PaySucceededEvent): void {
    // @ts-expect-error: an order has no such field
    void event.order.nothing;
    this.heard.set(event.order.request_id);
  }
}

bootstrapApplication(Checkout, { providers: [provideZonelessChangeDetection()] }).catch(
  (error: unknown) => console.error(error),
);

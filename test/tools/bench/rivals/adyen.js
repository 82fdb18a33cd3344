// The QR code of a payment that was made before, as Adyen's component shows it.
import { AdyenCheckout, Pix } from '@adyen/adyen-web';
import '@adyen/adyen-web/styles/adyen.css';

AdyenCheckout.register(Pix);
const checkout = await AdyenCheckout({
  environment: 'test',
  clientKey: 'test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  countryCode: 'BR',
  locale: 'en-US',
  analytics: { enabled: false },
});
checkout
  .createFromAction({
    type: 'qrCode',
    paymentMethodType: 'pix',
    paymentData: 'payment-data',
    qrCodeData: document.querySelector('#code').textContent,
  })
  .mount('#pay');

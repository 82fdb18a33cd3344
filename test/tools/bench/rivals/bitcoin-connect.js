// The QR code of a Lightning invoice, as bitcoin-connect's component shows it.
import '@getalby/bitcoin-connect';

const payment = document.createElement('bc-payment');
payment.setAttribute('invoice', document.querySelector('#code').textContent);
payment.setAttribute('payment-methods', 'external');
document.querySelector('#pay').append(payment);

/**
 * The English texts that the first script contains; `{name}` is a placeholder. The second script
 * brings the others (en-later.ts).
 */
import type { enLater } from './en-later.js';

export const en = {
  loading: 'Preparing your payment…',
  pay_shop: 'Pay {shop}',
  choose: 'How would you like to pay?',
  pay: 'Pay {amount}',
  email: 'E-mail',
  phone: 'Phone',
  name: 'Full name',
  field_wrong: 'Please check this field.',
  submitting: 'Placing your order…',
  submitting_hint: 'This takes a few seconds. Please keep this page open.',
  confirming: 'We are confirming your order',
  scan: 'Scan with your banking app',
  qr_alt: 'QR code for the payment',
  copy_code: 'Copy code',
  more: 'More',
  open_page: 'Continue to the payment page',
  awaiting: 'Waiting for your payment',
  check_now: 'I’ve paid',
  checking: 'Checking…',
  offline: 'You are offline. We go on as soon as you are back.',
  change: 'Other ways to pay',
  change_warning: 'Your earlier order can still be paid. Please pay only one of the two orders.',
  back: 'Back to your payment',
  succeeded: 'Paid {amount}',
  to: 'to {name}',
  failed: 'The payment did not go through',
  expired: 'The time to pay is over',
  closed: 'The shop has closed this order',
  unmapped: 'Your payment is not clear yet',
  review: 'The shop must check your payment',
  not_yours: 'Not your order? Start anew',
  other_payable:
    'An earlier order for this purchase may still be paid. Please pay only one of the orders.',
  reference: 'Reference',
  order_number: 'Payment no.',
  copy: 'Copy',
  copied: 'Copied',
  reload: 'Reload the page',
  return: 'Back to the shop',
  close: 'Close',
  support: 'Contact the shop',
  must_pay: 'Please complete the payment.',
  test_mode: 'Test mode: no real money',
  problem: 'This did not work',
} as const;

export type TextKey = keyof typeof en | keyof typeof enLater;

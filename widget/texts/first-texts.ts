/**
 * The English texts that the script contains. A customer reads them when the relay's file of texts
 * cannot be loaded; everything else is in that file.
 */
export const firstTexts = {
  loading: 'Preparing your payment…',
  must_pay: 'Please complete the payment.',
  unsupported:
    'This browser is too old to show this payment. Please open this page in a newer browser.',
  title_offline: 'No connection',
  problem_relay_unreachable:
    'We cannot reach the payment page’s server. Check your connection; your order is kept.',
  title_setup: 'Checkout not available',
  problem_setup: 'The checkout is not set up correctly. Please contact the shop.',
  retry: 'Try again',
  return: 'Back to the shop',
  support: 'Contact the shop',
} as const;

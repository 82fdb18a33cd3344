/** The English texts; `{name}` is a placeholder. */
export const en = {
  loading: 'Preparing your payment…',
  choose: 'How would you like to pay?',
  pay: 'Pay {amount}',
  search: 'Find a way to pay',
  no_match: 'Nothing found. Try another word.',
  no_options: 'No way to pay fits this amount. Please contact the shop.',
  email: 'E-mail',
  phone: 'Phone',
  name: 'Name',
  submitting: 'Placing your order…',
  submitting_hint: 'This takes a few seconds. Please keep this page open.',
  confirming: 'We are confirming your order',
  confirming_hint:
    'The payment service has not answered yet, and we keep asking. Nothing is lost: please ' +
    'wait a moment before paying in another way.',
  scan: 'Scan to pay',
  scan_hint: 'Open your banking app, choose “Pay by QR code” and point the camera here.',
  enlarge: 'Enlarge',
  save_as: 'Save as {format}',
  share: 'Share',
  on_phone: 'Continue on your phone',
  on_phone_hint: 'Scan this code with your phone to open the same payment there.',
  qr_alt: 'QR code for the payment',
  qr_too_long: 'This code is too long for a QR picture. Copy it into your banking app.',
  copy_code: 'Copy payment code',
  open_page: 'Go to the payment page',
  open_page_hint:
    'The payment page opens in a new tab. Come back here afterwards: this page shows the result.',
  open_page_hint_here: 'The payment page opens in this window and leads you back afterwards.',
  popup_blocked: 'Your browser did not open the payment page. Press the button once more.',
  bring_back: 'Bring back the payment page',
  open_wallet: 'Open the wallet',
  open_wallet_hint: 'Confirm the payment in your wallet or banking app, then come back here.',
  wallet_nothing:
    'Did nothing open? Install the wallet or banking app first, or choose another way to pay.',
  wait: 'Your order is registered',
  wait_hint:
    'There is nothing to do on this page: finish the payment where the payment service asks ' +
    'you to. If nothing asks you, choose another way to pay.',
  awaiting: 'Waiting for your payment',
  check_now: 'Check now',
  checking: 'Checking…',
  checked: 'Last checked {time}',
  time_left: 'Time left to pay: {time}',
  time_over: 'The time to pay is over. We are checking once more.',
  already_paid: 'Already paid? Press “Check now”: we will find your payment.',
  offline: 'You are offline. We go on as soon as you are back.',
  resume_link: 'Copy a link for another device',
  change: 'Choose another way to pay',
  change_warning: 'Your earlier order can still be paid. Please pay only one of the two orders.',
  back: 'Back to the order',
  succeeded: 'Payment received',
  succeeded_hint: 'Thank you. {shop} has been told.',
  failed: 'The payment did not go through',
  failed_hint: 'You can try again or choose another way to pay.',
  expired: 'The time to pay is over',
  expired_hint:
    'If you have already paid, we will still notice it. Otherwise choose a way to pay again.',
  closed: 'The shop has closed this order',
  closed_hint: 'Please do not pay it. If you have already paid, contact the shop.',
  unmapped: 'The payment has a new status',
  unmapped_hint:
    'We do not know yet whether it is paid, and we keep asking. Please contact the shop before ' +
    'paying again.',
  review: 'Your payment needs a look by the shop',
  review_hint:
    'Something in the answer of the payment service does not match your order. Please do not ' +
    'pay it; contact the shop with the reference below.',
  not_yours: 'Not your order? Start anew',
  other_payable:
    'An earlier order for this purchase may still be paid. Please pay only one of the orders.',
  reference: 'Reference',
  order_number: 'Order',
  deposit: 'Deposit {currency}',
  deposit_hint: 'Send only {currency} to this address.',
  network_warning: 'Send it over {network} only. Money sent over another network is lost.',
  address_unchecked:
    'We could not check the form of this address. Compare it with care before you send.',
  address_and_tag: 'Address and tag',
  address_only: 'Address only',
  tag_only: 'Tag only',
  address_only_warning: 'This code does not hold the tag. Enter the tag yourself.',
  open_in_app: 'Open in a wallet app',
  paste_check: 'Paste the address here to compare it',
  paste_same: 'This is the same address.',
  paste_other:
    'This is another address! Something on your device may have changed it. Do not send.',
  tag_gate: 'I understand that a deposit without the tag is lost.',
  copy_tag_next: 'Address copied. Now copy the tag as well.',
  network: 'Network',
  minimum: 'Minimum deposit',
  address: 'Address',
  tag: 'Tag',
  tag_warning:
    'This deposit needs both the address and the tag. Without the tag the money cannot be ' +
    'credited to you.',
  no_tag: 'This asset needs no tag.',
  deposit_following:
    'We cannot see a deposit from this page. The shop credits it once the network has ' +
    'confirmed it.',
  deposit_received: 'The shop has seen your deposit.',
  copy: 'Copy',
  copied: 'Copied',
  copy_failed: 'Not copied. The text is selected: copy it by hand.',
  retry: 'Try again',
  restart: 'Start again',
  close: 'Close',
  support: 'Contact the shop',
  must_pay: 'Please complete the payment.',
  test_mode: 'Test mode: no real money',
  problem: 'This did not work',
  problem_relay_unreachable:
    'We cannot reach the payment page’s server. Check your connection; nothing is lost.',
  problem_service_unreachable:
    'The payment service cannot be reached right now. No new payment was started. Please try ' +
    'again in a moment.',
  problem_token:
    'This checkout has expired. Please go back to the shop and start the payment again.',
  problem_conflict: 'This purchase was changed in another window. Please start again.',
  problem_paid: 'This purchase is already paid.',
  problem_replacements: 'The way to pay was changed too often. Please contact the shop.',
  problem_bounds: 'This amount or quantity cannot be paid here.',
  problem_customer: 'Please fill in your contact data.',
  problem_rate: 'That was a little fast. Nothing is lost: please try again in a minute.',
  problem_setup: 'The checkout is not set up correctly. Please contact the shop.',
  problem_address:
    'We could not make sure that this deposit address is right, so we do not show it. Please ' +
    'contact the shop.',
  problem_unknown: 'We cannot find this order here any more. The shop knows whether it is paid.',
  problem_version: 'This page is out of date. Please reload it.',
  problem_other: 'Something went wrong on our side. Nothing is lost; please try again.',
} as const;

export type TextKey = keyof typeof en;

/** The English texts of ends, problems, deposits and tools, which no first code needs. */
export const enLater = {
  share: 'Share',
  already_paid: 'I’ve already paid',
  code_expired: 'This code has expired',
  new_code: 'Get a new code',
  resume_link: 'Copy a link for another device',
  done: 'You are done. Ignore any other code or bank details.',
  back_to_shop: 'Back to {shop}',
  receipt: 'Save receipt',
  failed_hint: 'You can try again or choose another way to pay.',
  again: 'Try {option} again',
  expired_hint:
    'If you have already paid, we will still notice it. Otherwise choose a way to pay again.',
  closed_hint: 'Please do not pay it. If you have already paid, contact the shop.',
  unmapped_hint:
    'We do not know yet whether it is paid, and we keep asking. Please contact the shop before ' +
    'paying again.',
  review_hint:
    'Something in the answer of the payment service does not match your order. Please do not ' +
    'pay it; contact the shop with the reference below.',
  deposit: 'Deposit {currency}',
  deposit_hint: 'Send only {currency} to this address.',
  network_only: '{network} only.',
  tag_warning: 'Include the {tag}, or the money is lost.',
  address_unchecked:
    'We could not check the form of this address. Compare it with care before you send.',
  codes_help: 'Wallet cannot read this?',
  address_and_tag: 'Address and {tag}',
  address_only: 'Address only',
  address_only_warning: 'This code does not hold the {tag}. Enter it yourself.',
  open_in_app: 'Open in wallet',
  paste_check: 'Paste the address here to compare it',
  paste_same: 'This is the same address.',
  paste_other:
    'Stop. This is another address! Something on your device may have changed it. Do not send.',
  tag_gate: 'I understand that a deposit without the {tag} is lost.',
  copy_tag_next: 'Address copied. Now copy the {tag} as well.',
  minimum: 'Minimum deposit',
  address: 'Address',
  tag: 'Tag',
  deposit_following:
    'We cannot see a deposit from this page. The shop credits it once the network has ' +
    'confirmed it.',
  title_received: 'Deposit received',
  deposit_received: 'The shop has seen your deposit.',
  retry: 'Try again',
  restart: 'Start again',
  title_paid: 'Already paid',
  title_token: 'Checkout timed out',
  title_replacements: 'Switched several times',
  title_setup: 'Checkout not available',
  title_service: 'Not available right now',
  title_offline: 'No connection',
  title_option: 'Choose another way to pay',
  title_bounds: 'Amount not accepted',
  title_customer: 'Contact data missing',
  title_conflict: 'Your purchase has changed',
  title_rate: 'Please wait a minute',
  title_unknown: 'Order not found',
  title_address: 'Address not confirmed',
  title_superseded: 'Replaced by a newer checkout',
  see_order: 'See your order',
  problem_service_unreachable:
    'The payment service cannot be reached right now. No new payment was started. Please try ' +
    'again in a moment.',
  problem_token: 'Please go back to the shop and start the payment again.',
  problem_ask: 'Please contact the shop and ask for a new payment.',
  problem_reload: 'Please reload the page. If that does not help, contact the shop.',
  problem_conflict: 'This purchase was changed in another window. Please start again.',
  problem_paid: 'This purchase is already paid.',
  problem_replacements: 'The way to pay was changed too often. You can still pay your last order.',
  problem_bounds: 'This amount or quantity cannot be paid here.',
  problem_option: 'This way to pay cannot be used for this purchase. Please choose another one.',
  problem_customer: 'Please fill in your contact data.',
  problem_rate: 'Too many attempts. Please try again in a minute.',
  problem_setup: 'The checkout is not set up correctly. Please contact the shop.',
  problem_address:
    'We could not make sure that this deposit address is right, so we do not show it. Please ' +
    'contact the shop.',
  problem_unknown: 'We cannot find this order here any more. The shop knows whether it is paid.',
  problem_version: 'This page is out of date. Please reload it.',
  problem_other: 'Something went wrong on our side. Your order is kept; please try again.',
  on_phone_hint: 'Scan this code with your phone to open the same payment there.',
  leaving: 'Taking you to your bank…',
  page_ready: 'Your payment page is ready',
  open_page_hint: 'The payment page opens in a new tab. This page shows the result.',
  open_page_hint_here: 'The payment page opens in this window and leads you back afterwards.',
  popup_blocked: 'Your browser did not open the payment page. Press the button once more.',
  bring_back: 'Bring back the payment page',
  open_wallet_hint: 'Confirm the payment in your wallet or banking app, then come back here.',
  wallet_nothing:
    'Did nothing open? Install the wallet or banking app first, or choose another way to pay.',
  wait: 'Your order is registered',
  wait_hint:
    'There is nothing to do on this page: finish the payment where the payment service asks ' +
    'you to. If nothing asks you, choose another way to pay.',
  confirming_hint:
    'The payment service has not answered yet, and we keep asking. Your order is kept: please ' +
    'wait a moment before paying in another way.',
  problem_relay_unreachable:
    'We cannot reach the payment page’s server. Check your connection; your order is kept.',
} as const;
